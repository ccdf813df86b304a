import { join } from 'node:path'
import { expect } from 'chai'
import knex, { type Knex } from 'knex'
import { migrations } from '../../../../../server/store/database/migrations/index.ts'
import type { NumberedMigration } from '../../../../../server/store/database/numberedMigration.ts'
import { createTemporaryFolder } from '../../../../harness/runner/createTemporaryFolder.ts'

const APPROVAL = {
  agent_id: 'SVC-1',
  owner_id: 'SVCD-1',
  endpoint_id: null,
  api_key_id: 'key',
  attempt_id: 'attempt',
  request_hash: 'hash',
  request: '{}',
  dimensions: '[]',
  needs_fresh_assertion: false,
  status: 'pending',
  expires_at: 9_000,
}
const ALERT = {
  owner_id: 'SVCD-1',
  code: 'sdk_unregistered_endpoint',
  severity: 'warning',
  day: '2026-11-21',
}

describe('migration 0009', () => {
  let folder: ReturnType<typeof createTemporaryFolder>
  let query: Knex

  beforeEach(() => {
    folder = createTemporaryFolder()
    query = knex({
      client: 'better-sqlite3',
      connection: { filename: join(folder.path, 'svc.sqlite') },
      useNullAsDefault: true,
    })
  })
  afterEach(async () => {
    await query.destroy()
    folder.remove()
  })

  const migrate = (list: readonly NumberedMigration[]) =>
    query.migrate.latest({
      migrationSource: {
        getMigrations: async () => [...list],
        getMigrationName: (migration: NumberedMigration) => migration.name,
        getMigration: async (migration: NumberedMigration) => migration,
      },
    })

  it('keeps existing rows in the order of their arrival, and notifies nobody of them again', async () => {
    await migrate(migrations.filter(({ name }) => name < '0009'))
    await query('step_up_approvals').insert([
      { ...APPROVAL, id: 'b', created_at: 2_000 },
      { ...APPROVAL, id: 'a', created_at: 1_000 },
    ])
    await query('alerts').insert([
      { ...ALERT, id: 'y', subject: 'two', created_at: 2_000 },
      { ...ALERT, id: 'x', subject: 'one', created_at: 1_000 },
    ])
    await migrate(migrations)
    const approvals = await query('step_up_approvals').select('*').orderBy('position')
    expect(approvals.map(({ id, announced_at }) => [id, announced_at])).to.deep.equal([
      ['a', 1_000],
      ['b', 2_000],
    ])
    expect(approvals[0]).to.include({ ...APPROVAL, needs_fresh_assertion: 0, challenge_salt: '' })
    const alerts = await query('alerts').select('*').orderBy('position')
    expect(alerts.map(({ id, data, read_at }) => [id, data, read_at])).to.deep.equal([
      ['x', '{}', null],
      ['y', '{}', null],
    ])
    const again = { ...ALERT, id: 'z', subject: 'one', created_at: 3_000 }
    await query('alerts').insert(again).onConflict(['owner_id', 'code', 'subject', 'day']).ignore()
    expect(await query('alerts').select('id')).to.have.lengthOf(2)
  })
})
