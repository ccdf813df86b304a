import { expect } from 'chai'
import type { Knex } from 'knex'
import { migrations } from '../../../../../server/store/database/migrations/index.ts'
import { createMigrationSource } from '../../../../../server/store/database/numberedMigration.ts'
import { onBothDatabases } from './onBothDatabases.ts'

const BEFORE = migrations.findIndex(({ name }) => name === '0129_sub_agent_sessions')
const DAY_MS = 86_400_000

describe('migration 0129 lets no sub-agent count for longer than a day', () => {
  onBothDatabases(async (query: Knex) => {
    const to = (count: number) => ({ migrationSource: createMigrationSource(migrations.slice(0, count)) })
    const granted = (seq: number, expiresAt: number) =>
      query('sub_agent_grants').insert({
        ...{ agent_id: 'SVC-1', seq, endpoint_id: 'e', granted_at: 5, expires_at: expiresAt },
      })
    const expiries = async () => {
      const rows = await query('sub_agent_grants').select('expires_at').orderBy('seq')
      return rows.map((row) => Number(row.expires_at))
    }
    await query.migrate.latest(to(BEFORE))
    await granted(1, 365 * DAY_MS)
    await granted(2, 3_600_005)
    for (let times = 0; times < 2; times += 1) {
      await query.migrate.latest(to(BEFORE + 1))
      expect(await expiries()).to.deep.equal([5 + DAY_MS, 3_600_005])
      await query.migrate.down(to(BEFORE + 1))
      expect(await query('sub_agent_grants').first()).to.not.have.property('session_id')
    }
  })
})
