import Database from 'better-sqlite3'

/**
 * Opens a connection that never loses an answered decision.
 *
 * better-sqlite3 runs WAL with `synchronous=NORMAL` unless told, which does not sync at commit; so FULL is set and
 * read back on every connection to the main file. Checkpoints belong to the projection thread: inline they would
 * be the p99 of verify-access. A script that writes much has a checkpointer of its own.
 *
 * @throws Error when the file does not take the settings, before anything is written.
 * Source: performance.md "Facts found by measuring".
 */
export function openSqlite(file: string, options: { readonly?: boolean } = {}): Database.Database {
  const database = new Database(file, { timeout: 5000, readonly: options.readonly ?? false })
  configureSqlite(database, options)
  return database
}

/** Applies and asserts the connection settings; also used by the pool of knex. */
export function configureSqlite(database: Database.Database, options: { readonly?: boolean } = {}): void {
  // A new file only: a group commit writes whole pages, and twice the page is an eighth less work for a record.
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
