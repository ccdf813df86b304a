import type { NumberedMigration } from '../../database/numberedMigration.ts'
import { emptyFeed } from './emptyFeed.ts'

const COLUMNS = {
  purchase_id: 'VARCHAR(255)',
  is_first: 'SMALLINT NOT NULL DEFAULT 1',
  outcome: 'VARCHAR(255)',
  standing: 'VARCHAR(255)',
  source_ip: 'VARCHAR(255)',
  currency: 'VARCHAR(255)',
  amount: 'DOUBLE PRECISION',
  search_text: `TEXT NOT NULL DEFAULT ''`,
} as const

const INDEXES = {
  party_events_purchase: '(party_id, purchase_id, seq) WHERE purchase_id IS NOT NULL',
  party_events_first: '(party_id, seq) WHERE is_first = 1',
  party_events_time: '(party_id, recorded_at, seq)',
  party_events_agent: '(party_id, agent_id, seq) WHERE agent_id IS NOT NULL',
  party_events_endpoint: '(party_id, endpoint_id, seq) WHERE endpoint_id IS NOT NULL',
  party_events_type: '(party_id, event_type, seq)',
  party_events_outcome: '(party_id, outcome, seq) WHERE outcome IS NOT NULL',
  party_events_standing: '(party_id, standing, seq) WHERE is_first = 1',
  party_events_ip: '(party_id, source_ip, seq) WHERE source_ip IS NOT NULL',
  party_events_currency: '(party_id, currency, seq, amount) WHERE currency IS NOT NULL',
} as const

/**
 * The first event of each purchase. Unique, so that PostgreSQL expects one row also before it has statistics, and does not
 * read all events of a party for each of a chunk.
 */
const OPENED = 'party_events_opened'

/**
 * What the filters of the activity read, each with an index in the order of the list: the purchase of each event, whether it
 * is the first of its purchase, what the event says of it (`outcome`) and, at the first event, what the purchase came to so
 * far (`standing`), the caller’s address, the amount, and the text that is searched. All as the party may see it.
 *
 * The feed is emptied, so that the projection fills the columns from the log.
 */
export const activityFilters: NumberedMigration = {
  name: '0089_activity_filters',
  async up(schema) {
    await emptyFeed(schema, ['agent_spend'])
    for (const [name, type] of Object.entries(COLUMNS)) {
      await schema.raw(`ALTER TABLE party_events ADD COLUMN ${name} ${type}`)
    }
    for (const [name, on] of Object.entries(INDEXES)) {
      await schema.raw(`CREATE INDEX ${name} ON party_events ${on}`)
    }
    await schema.raw(`CREATE UNIQUE INDEX ${OPENED} ON party_events (party_id, purchase_id)
      WHERE is_first = 1 AND purchase_id IS NOT NULL`)
  },
  async down(schema) {
    for (const name of [...Object.keys(INDEXES), OPENED]) await schema.raw(`DROP INDEX ${name}`)
    for (const name of Object.keys(COLUMNS)) await schema.raw(`ALTER TABLE party_events DROP COLUMN ${name}`)
  },
}
