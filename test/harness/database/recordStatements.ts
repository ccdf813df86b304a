import pg from 'pg'

export type RecordedStatement = { connection: string; text: string }

/** Records the statements that this process sends to PostgreSQL while the work runs, with the names of their connections. */
export async function recordStatements<Result>(
  work: () => Promise<Result>,
): Promise<{ result: Result; statements: readonly RecordedStatement[] }> {
  const { prototype } = pg.Client
  const { query } = prototype
  const statements: RecordedStatement[] = []
  prototype.query = function (this: pg.Client, ...given: unknown[]) {
    const [first] = given
    const text = typeof first === 'string' ? first : String((first as { text?: unknown }).text)
    const { application_name: connection = '' } = (
      this as unknown as { connectionParameters: { application_name?: string } }
    ).connectionParameters
    statements.push({ connection, text })
    return Reflect.apply(query, this, given)
  } as typeof query
  try {
    return { result: await work(), statements }
  } finally {
    prototype.query = query
  }
}
