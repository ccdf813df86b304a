import { type AddedIndex, createIndexes, dropIndexes } from '../createIndexes.ts'
import type { NumberedMigration } from '../numberedMigration.ts'

const INDEXES: readonly AddedIndex[] = [
  {
    name: 'relayer_intents_payers',
    table: 'relayer_intents',
    on: `(settled_at)
      WHERE settled_at IS NOT NULL AND (account_id IS NOT NULL OR network IS NOT NULL OR stranger_id IS NOT NULL)`,
  },
]

/**
 * Settled intents that still say for whom the relayer paid, by when they were settled: those of which it has to be removed
 * are found without reading the others, however many there are.
 */
export const settledPayers: NumberedMigration = {
  name: '0150_settled_payers',
  oldestBeside: '0117_database_features',
  indexes: INDEXES,
  up: (schema) => createIndexes(schema, INDEXES),
  down: (schema) => dropIndexes(schema, INDEXES),
}
