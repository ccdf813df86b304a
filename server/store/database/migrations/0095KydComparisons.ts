import type { NumberedMigration } from '../numberedMigration.ts'

/** What the reviewer of an identity compared before approving it, separated by commas; null for older decisions. */
export const kydComparisons: NumberedMigration = {
  name: '0095_kyd_comparisons',
  async up(schema) {
    await schema.schema.alterTable('kyd_cases', (t) => {
      t.string('compared')
    })
  },
  async down(schema) {
    // The builder would create the table of SQLite again, which another table refers to.
    await schema.raw('ALTER TABLE kyd_cases DROP COLUMN compared')
  },
}
