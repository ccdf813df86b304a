import { isPostgres } from '../knexSettings.ts'
import type { NumberedMigration } from '../numberedMigration.ts'

/**
 * The transactions of a deployment that is not complete, so that the next attempt finishes them instead of paying for
 * others. `call_hash` says what a transaction does, on which chain and for which account.
 */
export const deploymentTransactions: NumberedMigration = {
  name: '0156_deployment_transactions',
  oldestBeside: '0117_database_features',
  async up(schema) {
    const number = isPostgres(schema) ? 'BIGINT' : 'INTEGER'
    await schema.raw(`CREATE TABLE deployment_transactions (
      call_hash TEXT PRIMARY KEY,
      hash TEXT NOT NULL,
      nonce ${number} NOT NULL,
      raw TEXT NOT NULL,
      head_block ${number} NOT NULL
    )`)
  },
  async down(schema) {
    await schema.raw('DROP TABLE deployment_transactions')
  },
}
