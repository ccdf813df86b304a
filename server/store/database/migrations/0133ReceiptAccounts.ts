import type { NumberedMigration } from '../numberedMigration.ts'

/**
 * The Ethereum account on which the proof of a request rests, in lower case; null if it rests on none, and for older
 * receipts. Its grants are withdrawn when it no longer signs for the agent.
 */
export const receiptAccounts: NumberedMigration = {
  name: '0133_receipt_accounts',
  oldestBeside: '0117_database_features',
  async up(schema) {
    await schema.schema.alterTable('receipts', (t) => {
      t.string('account')
    })
  },
  async down(schema) {
    // The builder would create the table of SQLite again, which triggers of other tables refer to.
    await schema.raw('ALTER TABLE receipts DROP COLUMN account')
  },
}
