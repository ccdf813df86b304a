import Sqlite from 'better-sqlite3'
import { queryPostgres } from './queryPostgres.ts'

/** Runs one statement on its own connection next to the service, with `?` as placeholders, and returns its rows. */
export async function queryDatabase<Row>(
  { databaseUrl, databaseFile }: { databaseUrl: string | undefined; databaseFile: string },
  sql: string,
  values: readonly unknown[],
): Promise<Row[]> {
  if (databaseUrl !== undefined) return queryPostgres<Row>(databaseUrl, sql, values)
  const file = new Sqlite(databaseFile)
  try {
    const statement = file.prepare(sql)
    if (statement.reader) return statement.all(...values) as Row[]
    statement.run(...values)
    return []
  } finally {
    file.close()
  }
}
