import { openPostgresDatabase } from './database.postgres.ts'
import { openSqliteDatabase } from './database.sqlite.ts'
import type { Db } from './database.ts'

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
