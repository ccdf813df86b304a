/** The names of the tables, and the range of log indexes to copy. */
type Names = {
  log: string
  feed: string
  from: string
  to: string
  /**
   * Start of each statement. `INSERT OR ROLLBACK` on SQLite makes a failure roll back the whole transaction, which happens
   * anyway, so that SQLite keeps no statement journal in the system’s temporary folder.
   */
  insert: 'INSERT' | 'INSERT OR ROLLBACK'
}

/**
 * Builds the statements that copy, inside the database, the log indexes of the records of a range and of their sessions.
 *
 * They are sorted like their tables, so that neighbouring rows are written together.
 */
export function buildFeedStatements({ log, feed, from, to, insert }: Names): string[] {
  const part = `FROM ${log}audit_records WHERE seq >= ${from} AND seq < ${to}`
  return [
    `${insert} INTO ${feed}record_positions (record_id, seq)
      SELECT record_id, seq ${part} ORDER BY record_id, seq
      ON CONFLICT DO NOTHING`,
    `${insert} INTO ${feed}session_positions (session_id, seq)
      SELECT session_id, seq ${part} AND session_id IS NOT NULL ORDER BY session_id, seq
      ON CONFLICT DO NOTHING`,
  ]
}
