import type { QueryConfig } from 'pg'

/** How the recorder's transactions end and reach the disk, as statements. */
export type Commits = {
  /** Ends a transaction that holds locks; it is on disk once the last of these statements is answered. */
  releasing: readonly QueryConfig[]
}

export const COMMIT: QueryConfig = { text: 'COMMIT' }

/**
 * Writes a row of a table, so that the commit of a transaction without other writes has to reach the disk, and fails where
 * transactions are read-only. Every start makes sure that the row exists.
 */
export const PROBE: QueryConfig = { text: 'UPDATE database_features SET features = features WHERE id = 1' }

/**
 * Writes 64 KiB where decisions are written, and deletes them again. Unlike the one row of `PROBE`, whose page has room for
 * its new version, they need more pages than the table has to spare. Random text, because other text would be compressed.
 */
export const ROOM_PROBE: readonly QueryConfig[] = [
  {
    text: `INSERT INTO pending_records (record_id, recorded_at, event_type, counterparty_owner_id, event_data,
        inputs, inputs_salt, entry)
      SELECT 'probe', 0, 'probe', 'probe', string_agg(md5(random()::text), ''), '', '', '' FROM generate_series(1, 2048)`,
  },
  {
    text: `DELETE FROM pending_records
      WHERE counterparty_owner_id = 'probe'
        AND position = currval(pg_get_serial_sequence('pending_records', 'position'))`,
  },
]

/**
 * Commits of a database with one write-ahead log: locks end with a commit that may not be on disk yet, and a transaction of
 * its own then reaches the disk, and with it all that were committed before. Messages stand in the log only; their prefix
 * tells readers to ignore them.
 *
 * Source: docs/decisions/0113.
 */
export const loggedCommits: Commits = {
  releasing: [
    { text: 'SET LOCAL synchronous_commit = off' },
    COMMIT,
    { text: `SELECT pg_logical_emit_message(true, 'svc-flush', '')` },
  ],
}

/**
 * Commits that need tables only. Locks last until the commit is on disk, because without one log of the whole database,
 * nothing that commits later shows that it is.
 */
export const plainCommits: Commits = { releasing: [COMMIT] }
