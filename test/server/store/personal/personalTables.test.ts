import { expect } from 'chai'
import { EXPORTED_TABLES } from '../../../../server/store/personal/exportedTables.ts'
import { OTHER_TABLES, PERSONAL_TABLES } from '../../../../server/store/personal/personalTables.ts'
import {
  openTemporaryDatabase,
  type TemporaryDatabase,
} from '../../../harness/database/openTemporaryDatabase.ts'

/** Tables without rows of people: the service's own state. */
const OWN_STATE = [
  ...[
    'installation',
    'chain_deployments',
    'deployment_transactions',
    'audit_batches',
    'audit_logs',
    'audit_log_counts',
    'leases',
    'registry_cursors',
    'shared_keys',
  ],
  ...['secrets_keys', 'signing_keys', 'witness_heads', 'event_retention', 'migration_compatibility'],
  ...['webhook_position', 'status_indexes', 'sqlite_sequence', 'knex_migrations', 'knex_migrations_lock'],
]
/** Columns that refer to an account, or to an organisation, agent or endpoint of one. */
const REFERS =
  /^(user_id|owner_id|counterparty_owner_id|developer_id|organization_id|account_id|counterparty_account_id|agent_id|svc_id|endpoint_id|session_id|subject_id|created_by|invited_by|decided_by|email|owner_email|recipient|address|holder|wallet|signer_address|caller|account|subject|stranger_id|party_id)$/

describe('personalTables', () => {
  let opened: TemporaryDatabase
  before(async () => {
    opened = await openTemporaryDatabase('sqlite')
  })
  after(() => opened.remove())

  const tables = async (): Promise<string[]> => {
    const rows = await opened.db.query('sqlite_master').select('name').where({ type: 'table' })
    return rows.map(({ name }) => String(name))
  }
  const columnsOf = async (table: string): Promise<string[]> =>
    Object.keys(await opened.db.query(table).columnInfo())

  it('says of every table with a column that refers to a person what erasure and export do with it', async () => {
    const forgotten: string[] = []
    for (const table of await tables()) {
      if (OWN_STATE.includes(table) || table in OTHER_TABLES) continue
      if (table in PERSONAL_TABLES && table in EXPORTED_TABLES) continue
      forgotten.push(table)
    }
    expect(forgotten).to.deep.equal([])
  })

  it('counts no table with such a column among the service’s own', async () => {
    const refering: string[] = []
    for (const table of OWN_STATE.filter((name) => name !== 'leases')) {
      if (table === 'shared_keys' || !(await tables()).includes(table)) continue
      if ((await columnsOf(table)).some((column) => REFERS.test(column))) refering.push(table)
    }
    expect(refering).to.deep.equal([])
  })

  it('names only tables that exist', async () => {
    expect(await tables()).to.include.members(Object.keys(PERSONAL_TABLES))
  })
  it('exports only columns that exist, and no secret or hash of one', async () => {
    const secret = /hash|secret|salt|token|sealed|password|mrz|public_key/
    for (const [table, spec] of Object.entries(EXPORTED_TABLES)) {
      if ('no' in spec) continue
      expect(await columnsOf(table), table).to.include.members([...spec.columns, ...spec.key])
      expect(spec.columns.filter((column) => secret.test(column))).to.deep.equal([])
    }
  })

  it('exports every table to a file of its own', () => {
    const files = Object.values(EXPORTED_TABLES).flatMap((spec) => ('no' in spec ? [] : spec.file))
    expect(new Set(files).size).to.equal(files.length)
  })
})
