import type { Knex } from 'knex'
import { openPostgresDatabase } from './database.postgres.ts'
import { openSqliteDatabase } from './database.sqlite.ts'

/** The open database: reads by `query`, every write of more than one statement by `transaction`. */
export type Db = {
  query: Knex
  /** One at a time, in all processes over the database. */
  transaction<T>(work: (trx: Knex.Transaction) => Promise<T>): Promise<T>
  close(): Promise<void>
}

/**
 * Opens, creates and migrates the configured database: PostgreSQL when there is a URL, else the files.
 *
 * @throws Error when it cannot be reached, refuses its settings, or a migration fails.
 */
export function openDatabase(config: {
  databaseUrl?: string | undefined
  databaseFile: string
  feedFile: string
}): Promise<Db> {
  return config.databaseUrl === undefined
    ? openSqliteDatabase(config)
    : openPostgresDatabase(config.databaseUrl)
}
