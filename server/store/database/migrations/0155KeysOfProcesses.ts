import { isPostgres } from '../knexSettings.ts'
import type { NumberedMigration } from '../numberedMigration.ts'

/**
 * With which key running processes encrypt, by the id of the key, so that none is forgotten that is still used. A file has
 * one process: the last one that started. An earlier release leaves both empty, which means that it is not known.
 */
export const keysOfProcesses: NumberedMigration = {
  name: '0155_keys_of_processes',
  oldestBeside: '0117_database_features',
  async up(schema) {
    await schema.raw(
      isPostgres(schema)
        ? 'ALTER TABLE process_settings ADD COLUMN secrets_key TEXT'
        : 'ALTER TABLE secrets_keys ADD COLUMN is_latest INTEGER NOT NULL DEFAULT 0',
    )
  },
  async down(schema) {
    await schema.raw(
      isPostgres(schema)
        ? 'ALTER TABLE process_settings DROP COLUMN secrets_key'
        : 'ALTER TABLE secrets_keys DROP COLUMN is_latest',
    )
  },
}
