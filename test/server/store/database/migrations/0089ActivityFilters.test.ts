import { expect } from 'chai'
import type { Knex } from 'knex'
import { createMigrationSource } from '../../../../../server/store/database/numberedMigration.ts'
import { feedMigrations } from '../../../../../server/store/feed/migrations/index.ts'
import { onBothDatabases } from './onBothDatabases.ts'

const BEFORE = feedMigrations.findIndex(({ name }) => name === '0089_activity_filters')

describe('migration 0089 adds what the filters of the activity read', () => {
  const event = {
    ...{ party_id: 'SVCO-1', seq: 6, event_type: 'agent.updated', recorded_at: 1 },
    ...{ agent_id: null, endpoint_id: null },
  }

  /** Up, down and up again; each time, the feed is emptied, so that the columns are filled from the log. */
  async function walk(query: Knex): Promise<void> {
    const to = (count: number) => ({ migrationSource: createMigrationSource(feedMigrations.slice(0, count)) })
    await query.migrate.latest(to(BEFORE))
    for (let times = 0; times < 2; times += 1) {
      await query('projection_state').update({ next_seq: 7 })
      await query('party_events').insert(event)
      await query.migrate.latest(to(BEFORE + 1))
      expect(Number((await query('projection_state').first()).next_seq)).to.equal(0)
      expect(await query('party_events')).to.deep.equal([])
      await query('party_events').insert({ ...event, purchase_id: 'a', amount: 0.3, standing: 'held' })
      expect(await query('party_events').first()).to.include({ is_first: 1, amount: 0.3, search_text: '' })
      await query.migrate.down(to(BEFORE + 1))
      expect(await query.schema.hasColumn('party_events', 'purchase_id')).to.equal(false)
      await query('party_events').delete()
    }
  }

  onBothDatabases(walk)
})
