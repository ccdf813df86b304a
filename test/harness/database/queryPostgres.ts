import pg from 'pg'

/** Runs one statement with `?` for values on a connection of its own, as SQLite would; 64-bit integers are numbers. */
export async function queryPostgres<Row>(
  url: string,
  sql: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url })
  client.setTypeParser(pg.types.builtins.INT8, Number)
  await client.connect()
  try {
    let place = 0
    const { rows } = await client.query(
      sql.replaceAll('?', () => `$${++place}`),
      [...values],
    )
    return rows
  } finally {
    await client.end()
  }
}
