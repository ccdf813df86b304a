import type { NumberedMigration } from '../../database/numberedMigration.ts'
import { emptyFeed } from './emptyFeed.ts'

/**
 * What each agent has spent on a day (days since 1970, UTC), by endpoint and currency; the endpoint `''` is all endpoints,
 * the currency `''` none.
 *
 * The feed is emptied, so that the projection fills the new table from the log together with all others.
 */
export const agentSpend: NumberedMigration = {
  name: '0083_agent_spend',
  async up(schema) {
    const sqlite = schema.client.config.client === 'better-sqlite3'
    // Decimals of any length: PostgreSQL adds them itself, SQLite has them added by the projection.
    const amount = sqlite ? 'TEXT' : 'NUMERIC'
    await schema.raw(`CREATE TABLE agent_spend (
      agent_id VARCHAR(255) NOT NULL,
      endpoint_id VARCHAR(255) NOT NULL,
      day INTEGER NOT NULL,
      currency VARCHAR(255) NOT NULL,
      amount ${amount} NOT NULL,
      PRIMARY KEY (agent_id, endpoint_id, day, currency)
    ) ${sqlite ? 'WITHOUT ROWID' : ''}`)
    await emptyFeed(schema, [])
  },
  async down(schema) {
    await schema.schema.dropTable('agent_spend')
  },
}
