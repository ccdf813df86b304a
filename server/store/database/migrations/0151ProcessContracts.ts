import { isPostgres } from '../knexSettings.ts'
import type { NumberedMigration } from '../numberedMigration.ts'

/** The contracts that each running process works with; null for a process of an earlier release. */
export const processContracts: NumberedMigration = {
  name: '0151_process_contracts',
  oldestBeside: '0117_database_features',
  async up(schema) {
    if (isPostgres(schema)) await schema.raw('ALTER TABLE process_settings ADD COLUMN contracts TEXT')
  },
  async down(schema) {
    if (isPostgres(schema)) await schema.raw('ALTER TABLE process_settings DROP COLUMN contracts')
  },
}
