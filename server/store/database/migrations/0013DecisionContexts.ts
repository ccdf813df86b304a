import type { NumberedMigration } from '../numberedMigration.ts'

/**
 * The rules that decisions were made by, each version once under the hash of its text: what an agent's or endpoint's
 * row says today may not be what it said when a recorded decision was made.
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
