import type { NumberedMigration } from '../../database/numberedMigration.ts'
import { emptyFeed } from './emptyFeed.ts'

/**
 * How many purchases make up what an agent has spent. The feed is emptied, so that the projection counts them from the log.
 */
export const agentPurchases: NumberedMigration = {
  name: '0093_agent_purchases',
  async up(schema) {
    await schema.schema.alterTable('agent_spend', (t) => {
      t.integer('purchases').notNullable().defaultTo(0)
    })
    await emptyFeed(schema, ['agent_spend', 'decision_counts'])
  },
  async down(schema) {
    await schema.schema.alterTable('agent_spend', (t) => t.dropColumns('purchases'))
  },
}
