import Database from 'better-sqlite3'

/**
 * Opens a connection whose commits survive a power failure.
 *
 * better-sqlite3 runs WAL with `synchronous=NORMAL` by default, which does not sync on commit. FULL is therefore set,
 * and verified, on every connection to the main file; only the recorder returns to NORMAL, because a thread syncs its
 * commits. Checkpoints are left to the projection thread, because inline they would determine the p99 of verify-access. A
 * script that writes a lot has its own checkpointer.
 *
 * @throws Error if the file does not accept the settings, before anything is written.
 */
export function openSqlite(file: string, options: { readonly?: boolean } = {}): Database.Database {
  const database = new Database(file, { timeout: 5000, readonly: options.readonly ?? false })
  configureSqlite(database, options)
  return database
}

/** Applies and verifies the connection settings; also used by knex's pool. */
export function configureSqlite(database: Database.Database, options: { readonly?: boolean } = {}): void {
  // Takes effect in new files only: a group commit writes whole pages, and doubling the page size saves an eighth of
  // the work per record.
  if (!options.readonly) {
    database.pragma('page_size = 8192')
    database.pragma('journal_mode = WAL')
  }
  database.pragma('synchronous = FULL')
  database.pragma('foreign_keys = ON')
  database.pragma('wal_autocheckpoint = 0')
  const mode = database.pragma('journal_mode', { simple: true })
  const synchronous = database.pragma('synchronous', { simple: true })
  if (mode !== 'wal' || synchronous !== 2) {
    throw new Error(`SQLite refused its settings: journal_mode=${mode}, synchronous=${synchronous}`)
  }
}
