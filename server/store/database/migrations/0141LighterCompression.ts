import type { Knex } from 'knex'
import { isPostgres } from '../knexSettings.ts'
import type { NumberedMigration } from '../numberedMigration.ts'

/** The columns of a record that are long enough to be compressed. */
const LONG = ['event_data', 'inputs', 'entry']

/**
 * On PostgreSQL, records are compressed once instead of twice, and by LZ4 if the server has it: compressing took a fifth of
 * the server's processor time for a decision.
 *
 * A record is pending for less than a second, so there it is stored as it is, in its row.
 */
export const lighterCompression: NumberedMigration = {
  name: '0141_lighter_compression',
  oldestBeside: '0117_database_features',
  async up(schema) {
    if (!isPostgres(schema)) return
    await schema.raw('ALTER TABLE pending_records SET (toast_tuple_target = 8160)')
    await compressBy(schema, 'lz4')
  },
  async down(schema) {
    if (!isPostgres(schema)) return
    await compressBy(schema, 'default')
    await schema.raw('ALTER TABLE pending_records RESET (toast_tuple_target)')
  },
}

/** Values that are stored keep their compression. */
async function compressBy(schema: Knex, method: 'lz4' | 'default'): Promise<void> {
  const changes = LONG.map((column) => `ALTER COLUMN ${column} SET COMPRESSION ${method}`)
  await schema.raw(`DO $$ BEGIN
      EXECUTE 'ALTER TABLE audit_records ${changes.join(', ')}';
    EXCEPTION WHEN feature_not_supported OR syntax_error THEN NULL;
    END $$`)
}
