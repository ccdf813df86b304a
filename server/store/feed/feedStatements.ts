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
 * Builds the statements that copy, inside the database, which parties may see the records of a range, and the log indexes
 * of records and sessions.
 *
 * They are sorted like their tables, so that neighbouring rows are written together.
 */
export function buildFeedStatements({ log, feed, from, to, insert }: Names): string[] {
  const part = `FROM ${log}audit_records WHERE seq >= ${from} AND seq < ${to}`
  const columns = 'seq, event_type, recorded_at, agent_id, endpoint_id'
  return [
    `${insert} INTO ${feed}party_events (party_id, ${columns})
      SELECT owner_id, ${columns} ${part} AND owner_id IS NOT NULL ORDER BY owner_id, seq`,
    `${insert} INTO ${feed}party_events (party_id, ${columns})
      SELECT counterparty_owner_id, ${columns} ${part} AND counterparty_owner_id IS NOT NULL
        AND counterparty_owner_id IS DISTINCT FROM owner_id ORDER BY counterparty_owner_id, seq`,
    `${insert} INTO ${feed}record_positions (record_id, seq)
      SELECT record_id, seq ${part} ORDER BY record_id, seq
      ON CONFLICT DO NOTHING`,
    `${insert} INTO ${feed}session_positions (session_id, seq)
      SELECT session_id, seq ${part} AND session_id IS NOT NULL ORDER BY session_id, seq
      ON CONFLICT DO NOTHING`,
  ]
}
