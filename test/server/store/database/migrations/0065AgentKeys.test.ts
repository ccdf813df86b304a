import { expect } from 'chai'
import type { Knex } from 'knex'
import { migrations } from '../../../../../server/store/database/migrations/index.ts'
import { createMigrationSource } from '../../../../../server/store/database/numberedMigration.ts'
import { onBothDatabases } from './onBothDatabases.ts'

const BEFORE = migrations.findIndex(({ name }) => name === '0065_agent_keys')

describe('migration 0065 adds the keys of agents', () => {
  /** Up, down and up again, which on PostgreSQL also creates the notification again. */
  async function walk(query: Knex): Promise<void> {
    const to = (count: number) => ({ migrationSource: createMigrationSource(migrations.slice(0, count)) })
    await query.migrate.latest(to(BEFORE))
    for (let times = 0; times < 2; times += 1) {
      await query.migrate.latest(to(BEFORE + 1))
      const key = { id: 'k', agent_id: 'SVC-1', kid: 'thumbprint', jwk: '{}', created_at: 1 }
      await query('agent_keys').insert(key)
      expect(await query('agent_keys').select('revoked_at')).to.deep.equal([{ revoked_at: null }])
      await query.migrate.down(to(BEFORE + 1))
      expect(await query.schema.hasTable('agent_keys')).to.equal(false)
    }
  }

  onBothDatabases(walk)
})
