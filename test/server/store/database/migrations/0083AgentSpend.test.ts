import { expect } from 'chai'
import type { Knex } from 'knex'
import { createMigrationSource } from '../../../../../server/store/database/numberedMigration.ts'
import { feedMigrations } from '../../../../../server/store/feed/migrations/index.ts'
import { onBothDatabases } from './onBothDatabases.ts'

const BEFORE = feedMigrations.findIndex(({ name }) => name === '0083_agent_spend')

describe('migration 0083 adds what agents spend', () => {
  /** Up, down and up again; each time, the feed is emptied, so that it is filled from the beginning of the log. */
  async function walk(query: Knex): Promise<void> {
    const to = (count: number) => ({
      migrationSource: createMigrationSource(feedMigrations.slice(0, count)),
    })
    const readNext = async () => Number((await query('projection_state').first()).next_seq)
    await query.migrate.latest(to(BEFORE))
    for (let times = 0; times < 2; times += 1) {
      await query('projection_state').update({ next_seq: 7 })
      await query('record_positions').insert({ record_id: 'a', seq: 6 })
      await query.migrate.latest(to(BEFORE + 1))
      expect([await readNext(), await query('record_positions')]).to.deep.equal([0, []])
      const spent = { agent_id: 'SVC-1', endpoint_id: '', day: 20_000, currency: 'EUR', amount: '0.3' }
      await query('agent_spend').insert(spent)
      expect(await query('agent_spend')).to.deep.equal([spent])
      await query.migrate.down(to(BEFORE + 1))
      expect(await query.schema.hasTable('agent_spend')).to.equal(false)
    }
  }

  onBothDatabases(walk)
})
