/** How the statements name the tables, and the two places in the log that they stand between. */
type Names = {
  log: string
  feed: string
  from: string
  to: string
  /**
   * How they begin. On SQLite `INSERT OR ROLLBACK`: a failure takes the transaction back as a whole, which is what becomes
   * of it anyway, so that no statement keeps the pages it changes in a file of the system's temporary folder.
   */
  insert: 'INSERT' | 'INSERT OR ROLLBACK'
}

/**
 * Copies who may see the records of a part of the log, and where they and their sessions stand, inside the database.
 *
 * Sorted as the tables are, so that neighbours are written together.
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
