import pg from 'pg'

/** Runs one statement on its own connection, with `?` as placeholders like SQLite; returns 64-bit integers as numbers. */
export async function queryPostgres<Row>(
  url: string,
  sql: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
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
