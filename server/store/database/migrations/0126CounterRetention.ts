import { type AddedIndex, createIndexes, dropIndexes } from '../createIndexes.ts'
import type { NumberedMigration } from '../numberedMigration.ts'

const INDEXES: readonly AddedIndex[] = [
  { name: 'transaction_grants_granted_at', table: 'transaction_grants', on: '(granted_at)' },
  {
    ...{ name: 'cumulative_spend_period', table: 'cumulative_spend', on: '(period)' },
    // Byte by byte, as the retention job compares.
    onPostgres: '(period COLLATE "C")',
  },
]

/** Indexes by which the retention job finds old grants, and sums of ended periods, without scanning what still counts. */
export const counterRetention: NumberedMigration = {
  name: '0126_counter_retention',
  oldestBeside: '0117_database_features',
  indexes: INDEXES,
  up: (schema) => createIndexes(schema, INDEXES),
  down: (schema) => dropIndexes(schema, INDEXES),
}
