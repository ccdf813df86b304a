import type { NumberedMigration } from '../numberedMigration.ts'

/** The response to a keyed request, stored in the transaction that made it true. */
export const keptAnswers: NumberedMigration = {
  name: '0060_kept_answers',
  async up(schema) {
    await schema.schema.alterTable('idempotency_keys', (t) => {
      t.text('kept')
    })
  },
  async down(schema) {
    await schema.schema.alterTable('idempotency_keys', (t) => {
      t.dropColumn('kept')
    })
  },
}
