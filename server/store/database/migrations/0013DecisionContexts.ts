import type { NumberedMigration } from '../numberedMigration.ts'

/**
 * The rules that decisions were based on, each version once under the hash of its text: the current row of an agent or
 * endpoint may differ from its state at an earlier decision.
 */
export const decisionContexts: NumberedMigration = {
  name: '0013_decision_contexts',
  async up(schema) {
    await schema.schema.createTable('decision_contexts', (t) => {
      t.string('hash').primary()
      t.text('document').notNullable()
    })
  },
  async down(schema) {
    await schema.schema.dropTable('decision_contexts')
  },
}
