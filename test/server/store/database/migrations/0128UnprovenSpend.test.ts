import { expect } from 'chai'
import type { Knex } from 'knex'
import { createMigrationSource } from '../../../../../server/store/database/numberedMigration.ts'
import { feedMigrations } from '../../../../../server/store/feed/migrations/index.ts'
import { onBothDatabases } from './onBothDatabases.ts'

const BEFORE = feedMigrations.findIndex(({ name }) => name === '0128_unproven_spend')

describe('migration 0128 keeps what the feed has summed, and begins to sum unproven purchases', () => {
  async function walk(query: Knex): Promise<void> {
    const to = (count: number) => ({ migrationSource: createMigrationSource(feedMigrations.slice(0, count)) })
    const spent = { agent_id: 'SVC-1', endpoint_id: '', day: 20_000, currency: 'EUR', amount: '0.3' }
    await query.migrate.latest(to(BEFORE))
    await query('agent_spend').insert({ ...spent, purchases: 2 })
    await query('projection_state').update({ next_seq: 7 })
    for (let times = 0; times < 2; times += 1) {
      await query.migrate.latest(to(BEFORE + 1))
      const sums = { purchases: 2, unproven_amount: '0', unproven_purchases: 0 }
      expect(await query('agent_spend')).to.deep.equal([{ ...spent, ...sums }])
      expect(Number((await query('projection_state').first()).next_seq)).to.equal(7)
      // What a release that knows no unproven purchases writes beside this one.
      await query('agent_spend').insert({ ...spent, day: 20_001, purchases: 1 })
      await query('agent_spend').where({ day: 20_001 }).delete()
      await query.migrate.down(to(BEFORE + 1))
      expect(await query('agent_spend')).to.deep.equal([{ ...spent, purchases: 2 }])
    }
  }

  onBothDatabases(walk)
})
