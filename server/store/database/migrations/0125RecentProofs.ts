import { isPostgres } from '../knexSettings.ts'
import type { NumberedMigration } from '../numberedMigration.ts'

/**
 * The proofs that decisions used in the last minutes, in the order of arrival, on SQLite only: its recorder finds them in
 * memory.
 *
 * A release before this one, started again on SQLite, does not know that they were used; each can be presented to it until
 * it expires.
 */
export const recentProofs: NumberedMigration = {
  name: '0125_recent_proofs',
  oldestBeside: '0124_several_logs',
  async up(schema) {
    if (isPostgres(schema)) return
    // Only INTEGER makes it SQLite’s row number, so that rows are appended without an index.
    await schema.raw(`CREATE TABLE recent_proofs (
      position INTEGER PRIMARY KEY,
      proof TEXT NOT NULL,
      expires_at INTEGER NOT NULL
    )`)
  },
  async down(schema) {
    if (!isPostgres(schema)) await schema.schema.dropTable('recent_proofs')
  },
}
