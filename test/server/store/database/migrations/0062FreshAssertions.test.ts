import { expect } from 'chai'
import type { Knex } from 'knex'
import { migrations } from '../../../../../server/store/database/migrations/index.ts'
import { createMigrationSource } from '../../../../../server/store/database/numberedMigration.ts'
import { onBothDatabases } from './onBothDatabases.ts'

const BEFORE = migrations.findIndex(({ name }) => name === '0062_fresh_assertions')

describe('migration 0062 treats every earlier approval as given by an assertion', () => {
  async function walk(query: Knex): Promise<void> {
    const to = (count: number) => ({ migrationSource: createMigrationSource(migrations.slice(0, count)) })
    await query.migrate.latest(to(BEFORE))
    for (const status of ['pending', 'approved', 'denied'])
      await query('step_up_approvals').insert(rowOf(status))
    for (let times = 0; times < 2; times += 1) {
      await query.migrate.latest(to(BEFORE + 1))
      const rows = await query('step_up_approvals').select('id').where({ has_fresh_assertion: true })
      expect(rows).to.deep.equal([{ id: 'approved' }])
      await query.migrate.down(to(BEFORE + 1))
      expect(await query('step_up_approvals').first()).to.not.have.property('has_fresh_assertion')
    }
  }

  onBothDatabases(walk)
})

function rowOf(status: string) {
  return {
    id: status,
    agent_id: 'SVC-1',
    owner_id: 'SVCD-1',
    api_key_id: 'key',
    attempt_id: status,
    request_hash: 'hash',
    request: '{}',
    dimensions: '[]',
    needs_fresh_assertion: true,
    status,
    created_at: 1_000,
    expires_at: 9_000,
  }
}
