import type { NumberedMigration } from '../numberedMigration.ts'

/**
 * How many uses of a grant are recorded, so that they can be bounded. Uses from before are not counted: a grant lasts a day
 * at most, and counting them would write every receipt. Nor are those that a former release records during an upgrade.
 */
export const usesOfGrants: NumberedMigration = {
  name: '0138_uses_of_grants',
  oldestBeside: '0117_database_features',
  async up(schema) {
    await schema.schema.alterTable('receipts', (t) => t.integer('use_count').notNullable().defaultTo(0))
  },
  async down(schema) {
    // The builder would create the table of SQLite again, which triggers write to.
    await schema.raw('ALTER TABLE receipts DROP COLUMN use_count')
  },
}
