import { isPostgres } from '../knexSettings.ts'
import type { NumberedMigration } from '../numberedMigration.ts'

/**
 * Indexes by which the retention job finds old grants, and sums of ended periods, without scanning what still counts.
 *
 * On PostgreSQL, requests that count against a cap wait while they are built.
 */
export const counterRetention: NumberedMigration = {
  name: '0126_counter_retention',
  oldestBeside: '0117_database_features',
  async up(schema) {
    await schema.raw('CREATE INDEX transaction_grants_granted_at ON transaction_grants (granted_at)')
    // Byte by byte, as the retention job compares.
    const period = isPostgres(schema) ? 'period COLLATE "C"' : 'period'
    await schema.raw(`CREATE INDEX cumulative_spend_period ON cumulative_spend (${period})`)
  },
  async down(schema) {
    await schema.raw('DROP INDEX cumulative_spend_period')
    await schema.raw('DROP INDEX transaction_grants_granted_at')
  },
}
