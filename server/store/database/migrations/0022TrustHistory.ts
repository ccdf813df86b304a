import type { NumberedMigration } from '../numberedMigration.ts'

/**
 * The history of an agent's trust score: a row per change, at most one per hour.
 *
 * `hour` counts the hours since 1970, so that a second change within an hour replaces the first.
 */
export const trustHistory: NumberedMigration = {
  name: '0022_trust_history',
  async up(schema) {
    await schema.schema.createTable('trust_scores', (t) => {
      t.string('agent_id').notNullable().references('agents.svc_id')
      t.integer('hour').notNullable()
      t.bigInteger('at').notNullable()
      t.integer('score').notNullable()
      t.primary(['agent_id', 'hour'])
      t.index(['hour'], 'trust_scores_hour')
    })
  },
  async down(schema) {
    await schema.schema.dropTable('trust_scores')
  },
}
