import type { NumberedMigration } from '../../database/numberedMigration.ts'

/** The tables that the projection fills, apart from its progress. */
const DERIVED = ['party_events', 'record_positions', 'session_positions', 'agent_behaviour', 'tree_nodes']

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
    for (const table of DERIVED) await schema(table).delete()
    await schema('projection_state').where({ id: 1 }).update({ next_seq: 0 })
  },
  async down(schema) {
    await schema.schema.dropTable('agent_spend')
  },
}
