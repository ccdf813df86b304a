import { expect } from 'chai'
import type { Knex } from 'knex'
import { isPostgres } from '../../../../server/store/database/knexSettings.ts'
import { createOperatorListStore } from '../../../../server/store/operator/operatorListStore.ts'
import {
  openTemporaryDatabase,
  type TemporaryDatabase,
} from '../../../harness/database/openTemporaryDatabase.ts'

type Lists = ReturnType<typeof createOperatorListStore>

const timed = { limit: 26, before: { at: 7, id: 'id' } }
const numbered = { limit: 25, before: 7 }
const all = { search: undefined, status: undefined }
const some = { search: 'Ada', status: undefined }

/** Queries of the lists, and the indexes that they use. */
const LOOKS: [string, (lists: Lists) => Promise<unknown>, string[]][] = [
  ['accounts', (lists) => lists.accounts(all, timed), ['users_pkey|sqlite_autoindex_users_1']],
  [
    'accounts that fit a term',
    (lists) => lists.accounts(some, timed),
    [
      'users_email_search',
      'users_name_search',
      'users_developer_id_unique',
      'wallets_pkey|autoindex_wallets',
    ],
  ],
  [
    'suspended accounts',
    (lists) => lists.accounts({ search: undefined, status: 'suspended' }, timed),
    ['users_developer_id_unique|users_pkey|autoindex_users', 'interventions'],
  ],
  ['organisations', (lists) => lists.organizations(all, timed), ['organizations_newest']],
  [
    'organisations that fit a term',
    (lists) => lists.organizations(some, timed),
    ['organizations_name_search', 'organizations_pkey|autoindex_organizations'],
  ],
  ['endpoints', (lists) => lists.endpoints(all, numbered), ['endpoints_claimed_newest|endpoints_pkey']],
  [
    'endpoints that fit a term',
    (lists) => lists.endpoints(some, numbered),
    [
      'endpoints_host_search',
      'endpoints_name_search',
      'endpoints_svce_id_unique',
      'endpoints_owner_id_index',
    ],
  ],
  [
    'archived endpoints',
    (lists) => lists.endpoints({ search: undefined, status: 'archived' }, numbered),
    ['endpoints_claimed_archived'],
  ],
  [
    'deactivated endpoints',
    (lists) => lists.endpoints({ search: undefined, status: 'deactivated' }, numbered),
    ['endpoints_claimed_deactivated'],
  ],
]

describe('operatorListStore', () => {
  let database: TemporaryDatabase
  before(async () => {
    database = await openTemporaryDatabase()
  })
  after(() => database?.remove())

  for (const [what, look, indexes] of LOOKS) {
    it(`finds ${what} by an index`, async () => {
      const plan = await explain(database.db.query, look)
      for (const index of indexes) expect(plan).to.match(new RegExp(index))
      // What was found is a separate list.
      expect(plan).not.to.match(/\bSCAN (?!found|\()\w|Seq Scan/)
    })
  }
})

/** The plans of the statements of a query; PostgreSQL would scan and sort its empty tables unless it is told not to. */
function explain(query: Knex, look: (lists: Lists) => Promise<unknown>): Promise<string> {
  return query.transaction(async (trx) => {
    if (isPostgres(query)) await trx.raw('SET LOCAL enable_seqscan = off; SET LOCAL enable_sort = off')
    const asked: { sql: string; bindings: string[] }[] = []
    const hear = (statement: { sql: string; bindings: string[] }) => asked.push(statement)
    trx.on('query', hear)
    await look(createOperatorListStore(trx))
    trx.off('query', hear)
    const plans = []
    for (const { sql, bindings } of asked) {
      const explained = isPostgres(query) ? `EXPLAIN ${sql}` : `EXPLAIN QUERY PLAN ${sql}`
      const { rows, ...plan } = await trx.raw(explained.replaceAll(/\$\d+/g, '?'), bindings)
      plans.push(JSON.stringify(rows ?? plan))
    }
    return plans.join('\n')
  })
}
