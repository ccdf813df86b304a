import { isPostgres } from '../knexSettings.ts'
import type { NumberedMigration } from '../numberedMigration.ts'

/**
 * The settings of each running process that have to be the same in all, so that they can be compared. A file has one
 * process.
 */
export const processSettings: NumberedMigration = {
  name: '0139_process_settings',
  oldestBeside: '0117_database_features',
  async up(schema) {
    if (!isPostgres(schema)) return
    await schema.raw(`CREATE TABLE process_settings (
      process TEXT PRIMARY KEY,
      public_url TEXT NOT NULL,
      audit_logs INTEGER NOT NULL,
      seen_at TIMESTAMPTZ NOT NULL DEFAULT now()
    )`)
  },
  async down(schema) {
    if (isPostgres(schema)) await schema.raw('DROP TABLE process_settings')
  },
}
