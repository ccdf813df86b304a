import type { NumberedMigration } from '../../database/numberedMigration.ts'

/** The tables that the projection fills, apart from its progress. */
const DERIVED = [
  'party_events',
  'record_positions',
  'session_positions',
  'agent_behaviour',
  'agent_spend',
  'decision_counts',
  'tree_nodes',
]

/**
 * How many purchases make up what an agent has spent. The feed is emptied, so that the projection counts them from the log.
 */
export const agentPurchases: NumberedMigration = {
  name: '0093_agent_purchases',
  async up(schema) {
    await schema.schema.alterTable('agent_spend', (t) => {
      t.integer('purchases').notNullable().defaultTo(0)
    })
    for (const table of DERIVED) await schema(table).delete()
    await schema('projection_state').where({ id: 1 }).update({ next_seq: 0 })
  },
  async down(schema) {
    await schema.schema.alterTable('agent_spend', (t) => t.dropColumns('purchases'))
  },
}
