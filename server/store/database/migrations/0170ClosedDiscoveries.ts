import { type AddedIndex, createIndexes, dropIndexes } from '../createIndexes.ts'
import type { NumberedMigration } from '../numberedMigration.ts'

const INDEXES: readonly AddedIndex[] = [
  {
    name: 'endpoints_discovered_closed',
    table: 'endpoints',
    on: `(owner_id, url) WHERE tier = 'discovered' AND status = 'archived'`,
  },
]

/** Finds by its URL what an owner discovered and archived without claiming it: it stays closed. */
export const closedDiscoveries: NumberedMigration = {
  name: '0170_closed_discoveries',
  oldestBeside: '0117_database_features',
  indexes: INDEXES,
  up: (schema) => createIndexes(schema, INDEXES),
  down: (schema) => dropIndexes(schema, INDEXES),
}
