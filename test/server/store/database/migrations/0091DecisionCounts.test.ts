import { expect } from 'chai'
import type { Knex } from 'knex'
import { createMigrationSource } from '../../../../../server/store/database/numberedMigration.ts'
import { feedMigrations } from '../../../../../server/store/feed/migrations/index.ts'
import { onBothDatabases } from './onBothDatabases.ts'

const BEFORE = feedMigrations.findIndex(({ name }) => name === '0091_decision_counts')

describe('migration 0091 adds counts of decisions', () => {
  /** Up, down and up again; each time, the feed is emptied, so that it is filled from the beginning of the log. */
  async function walk(query: Knex): Promise<void> {
    const to = (count: number) => ({
      migrationSource: createMigrationSource(feedMigrations.slice(0, count)),
    })
    const readNext = async () => Number((await query('projection_state').first()).next_seq)
    await query.migrate.latest(to(BEFORE))
    for (let times = 0; times < 2; times += 1) {
      await query('projection_state').update({ next_seq: 7 })
      const spent = { agent_id: 'SVC-1', endpoint_id: '', day: 20_000, currency: 'EUR', amount: '0.3' }
      await query('agent_spend').insert(spent)
      await query.migrate.latest(to(BEFORE + 1))
      expect([await readNext(), await query('agent_spend')]).to.deep.equal([0, []])
      const counted = { subject_id: 'SVC-1', facet: 'outcome', bucket: 500_000, name: 'verification.denied' }
      await query('decision_counts').insert({ ...counted, decisions: 1, last_at: 1_800_000_000_000 })
      const [row] = await query('decision_counts')
      expect([Number(row.decisions), Number(row.last_at)]).to.deep.equal([1, 1_800_000_000_000])
      await query.migrate.down(to(BEFORE + 1))
      expect(await query.schema.hasTable('decision_counts')).to.equal(false)
    }
  }

  onBothDatabases(walk)
})
