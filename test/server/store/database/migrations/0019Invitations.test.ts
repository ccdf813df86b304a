import { join } from 'node:path'
import { expect } from 'chai'
import knex, { type Knex } from 'knex'
import { migrations } from '../../../../../server/store/database/migrations/index.ts'
import type { NumberedMigration } from '../../../../../server/store/database/numberedMigration.ts'
import { createTemporaryFolder } from '../../../../harness/runner/createTemporaryFolder.ts'

const BEFORE = migrations.findIndex(({ name }) => name === '0019_invitations')

describe('migration 0019', () => {
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

  it('turns pending memberships into invitations and keeps members', async () => {
    await migrate(migrations.slice(0, BEFORE))
    for (const name of ['ada', 'ben', 'cay']) {
      await query('users').insert({
        id: name,
        developer_id: `SVCD-${name}`,
        email: `${name}@example.org`,
        account_type: 'individual',
        created_at: 1,
      })
    }
    await query('organizations').insert({ id: 'SVCO-1', name: 'Org', created_by: 'ada', created_at: 1 })
    for (const [userId, status] of [
      ['ada', 'active'],
      ['ben', 'invited'],
      ['cay', 'suspended'],
    ]) {
      const membership = { organization_id: 'SVCO-1', user_id: userId, role: 'member', status, created_at: 5 }
      await query('memberships').insert(membership)
    }
    await migrate(migrations.slice(0, BEFORE + 1))
    const left = await query('memberships').select({ user: 'user_id' }).orderBy('user_id')
    expect(left.map(({ user }) => user)).to.deep.equal(['ada', 'cay'])
    const [invitation, ...others] = await query('invitations').select()
    expect(others).to.deep.equal([])
    expect(invitation).to.include({
      organization_id: 'SVCO-1',
      email: 'ben@example.org',
      role: 'member',
      created_at: 5,
      expires_at: 5 + 7 * 24 * 60 * 60 * 1000,
    })
  })
})
