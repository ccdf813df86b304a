import { expect } from 'chai'
import type { Knex } from 'knex'
import { createMigrationSource } from '../../../../../server/store/database/numberedMigration.ts'
import { feedMigrations } from '../../../../../server/store/feed/migrations/index.ts'
import { onBothDatabases } from './onBothDatabases.ts'

const BEFORE = feedMigrations.findIndex(({ name }) => name === '0093_agent_purchases')
const COUNTED = {
  ...{ subject_id: 'SVC-1', facet: 'outcome', bucket: 1, name: 'granted' },
  ...{ decisions: 1, last_at: 1 },
}

describe('migration 0093 counts purchases from the beginning of the log', () => {
  async function walk(query: Knex): Promise<void> {
    const to = (count: number) => ({ migrationSource: createMigrationSource(feedMigrations.slice(0, count)) })
    const spent = { agent_id: 'SVC-1', endpoint_id: '', day: 20_000, currency: 'EUR', amount: '0.3' }
    await query.migrate.latest(to(BEFORE))
    for (let times = 0; times < 2; times += 1) {
      await query('agent_spend').insert(spent)
      await query('decision_counts').insert(COUNTED)
      await query('projection_state').update({ next_seq: 7 })
      await query.migrate.latest(to(BEFORE + 1))
      expect([await query('agent_spend'), await query('decision_counts')]).to.deep.equal([[], []])
      expect(Number((await query('projection_state').first()).next_seq)).to.equal(0)
      await query('agent_spend').insert({ ...spent, purchases: 2 })
      await query.migrate.down(to(BEFORE + 1))
      expect(await query('agent_spend')).to.deep.equal([spent])
      await query('agent_spend').delete()
    }
  }

  onBothDatabases(walk)
})
