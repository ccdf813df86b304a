import { type AddedIndex, createIndexes, dropIndexes } from '../createIndexes.ts'
import type { NumberedMigration } from '../numberedMigration.ts'

const INDEXES: readonly AddedIndex[] = [{ name: 'passkeys_host', table: 'passkeys', on: '(rp_id)' }]

/** Finds the hosts that passkeys belong to without reading every passkey. */
export const passkeyHostIndex: NumberedMigration = {
  name: '0161_passkey_host_index',
  oldestBeside: '0117_database_features',
  indexes: INDEXES,
  up: (schema) => createIndexes(schema, INDEXES),
  down: (schema) => dropIndexes(schema, INDEXES),
}
