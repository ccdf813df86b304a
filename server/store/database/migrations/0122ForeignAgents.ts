import type { NumberedMigration } from '../numberedMigration.ts'

/**
 * Agents of other registries that their owners adopted.
 *
 * `agents.foreign_name` names the token for good, `foreign_adoptions` contains the adoptions that have not ended: at most
 * one for each token, with its owner at that time and the block since when transfers end it. `foreign_feedback` is the
 * feedback that counts, as JSON.
 */
export const foreignAgents: NumberedMigration = {
  name: '0122_foreign_agents',
  oldestBeside: '0117_database_features',
  async up(schema) {
    await schema.schema
      .alterTable('agents', (t) => {
        t.text('foreign_name')
        t.text('foreign_feedback')
      })
      .createTable('foreign_adoptions', (t) => {
        t.string('agent_id').primary()
        t.string('agent_registry').notNullable()
        t.bigInteger('foreign_id').notNullable()
        t.string('owner').notNullable()
        t.bigInteger('adopted_block').notNullable()
        t.bigInteger('feedback_read_at').notNullable().index()
        t.unique(['agent_registry', 'foreign_id'])
      })
  },
  async down(schema) {
    await schema.schema.dropTable('foreign_adoptions')
    await schema.schema.alterTable('agents', (t) => t.dropColumns('foreign_name', 'foreign_feedback'))
  },
}
