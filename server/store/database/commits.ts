import type { QueryConfig } from 'pg'

/** How the recorder's transactions end and reach the disk, as statements. */
export type Commits = {
  /** Ends a transaction that holds locks; it is on disk once the last of these statements is answered. */
  releasing: readonly QueryConfig[]
  /** Writes something, so that the commit of a transaction without other writes has to reach the disk. */
  probe: QueryConfig
}

export const COMMIT: QueryConfig = { text: 'COMMIT' }

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
  probe: { text: `SELECT pg_logical_emit_message(true, 'svc-health', '')` },
}

/**
 * Commits that need tables only. Locks last until the commit is on disk, because without one log of the whole database,
 * nothing that commits later shows that it is.
 */
export const plainCommits: Commits = {
  releasing: [COMMIT],
  // Every start makes sure that the row exists.
  probe: { text: 'UPDATE database_features SET features = features WHERE id = 1' },
}
