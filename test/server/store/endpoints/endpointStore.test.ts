import { expect } from 'chai'
import { createEndpointStore, type EndpointRow } from '../../../../server/store/endpoints/endpointStore.ts'
import {
  openTemporaryDatabase,
  type TemporaryDatabase,
} from '../../../harness/database/openTemporaryDatabase.ts'

const ENDPOINT: EndpointRow = {
  id: 'a',
  svceId: null,
  ownerId: 'SVCO-a',
  tier: 'self_asserted',
  status: 'active',
  counterpartyType: 'api',
  name: 'Shop',
  url: 'https://a.io/',
  host: 'a.io',
  trustScoreRequirement: 40,
  unverifiedAgentPolicy: 'deny',
  requiredFacts: [],
  minIdentityProof: 'none',
  authorities: [],
  includeReceipt: false,
  pdlss: {},
  pdlssSalt: '00'.repeat(16),
  pdlssHash: `0x${'0'.repeat(64)}`,
  routes: [],
  webhookSecret: null,
  webhookSecretLastFour: null,
  webhookUrl: null,
  createdAt: 1,
  updatedAt: 1,
}
const OWNERS = ['SVCD-a', 'SVCO-a']
const FIRST = { limit: 10, before: null }

type Statement = { sql: string; bindings: unknown[] }

describe('endpointStore', () => {
  let database: TemporaryDatabase
  const add = (changes: Partial<EndpointRow> & { id: string }) =>
    database.db.transaction((trx) =>
      createEndpointStore(database.db.query).insert(trx, {
        ...ENDPOINT,
        url: `https://a.io/${changes.id}`,
        ...changes,
      }),
    )
  const listed = async (
    discovered: boolean,
    archived: boolean,
    page: { limit: number; before: number | null },
  ) => createEndpointStore(database.db.query).listByOwners(OWNERS, { discovered, archived }, page)
  const idsOf = async (discovered: boolean, archived: boolean) =>
    (await listed(discovered, archived, FIRST)).items.map(({ id }) => id)

  before(async () => {
    database = await openTemporaryDatabase()
    await add({ id: 'own' })
    await add({ id: 'found', tier: 'discovered', ownerId: 'SVCD-a' })
    await add({ id: 'archived', status: 'archived' })
    await add({ id: 'foundAndArchived', tier: 'discovered', status: 'archived' })
    await add({ id: 'proven', tier: 'domain_verified', ownerId: 'SVCD-a' })
    await add({ id: 'other', ownerId: 'SVCO-b' })
  })
  after(() => database.remove())

  it('lists the endpoints of owners, newest first, and discovered or archived ones on request', async () => {
    expect(await idsOf(false, false)).to.deep.equal(['proven', 'own'])
    expect(await idsOf(true, false)).to.deep.equal(['proven', 'found', 'own'])
    expect(await idsOf(false, true)).to.deep.equal(['proven', 'archived', 'own'])
    expect(await idsOf(true, true)).to.deep.equal(['proven', 'foundAndArchived', 'archived', 'found', 'own'])
  })

  it('continues after a page', async () => {
    const { items, nextBefore } = await listed(false, false, { limit: 1, before: null })
    expect(items.map(({ id }) => id)).to.deep.equal(['proven'])
    const rest = await listed(false, false, { limit: 1, before: nextBefore })
    expect([rest.items.map(({ id }) => id), rest.nextBefore]).to.deep.equal([['own'], null])
  })

  for (const archived of [false, true]) {
    const what = archived ? 'claimed ones and archived ones' : 'claimed ones'
    it(`reads no discovered endpoint for a list of ${what} on SQLite`, async () => {
      const embedded = await openTemporaryDatabase('sqlite')
      const { query } = embedded.db
      const asked: Statement[] = []
      query.on('query', (statement: Statement) => asked.push(statement))
      for (const [owners, before] of [
        [OWNERS.slice(1), null],
        [OWNERS, 7],
      ] as const) {
        await createEndpointStore(query).listByOwners(
          owners,
          { discovered: false, archived },
          { limit: 10, before },
        )
        const { sql, bindings } = asked.at(-1) ?? { sql: '', bindings: [] }
        const plan: { detail: string }[] = await query.raw(`EXPLAIN QUERY PLAN ${sql}`, bindings as string[])
        expect(plan.map(({ detail }) => detail).join('; ')).to.match(
          /USING INDEX endpoints_own \(owner_id=\?/,
        )
      }
      await embedded.remove()
    })
  }
})
