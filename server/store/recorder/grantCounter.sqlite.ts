import type Sqlite from 'better-sqlite3'

type Grant = { grantedAt: number; ordinal: number }

/** What has been read of a scope, or written since. */
type Known = {
  newest: Grant | undefined
  /** The first grant after `since`. */
  firstInWindow: Grant | undefined
  since: number
}

/** Of so many new grants of a scope, one looks for old ones to forget. */
const FORGET_EVERY = 64
/** Grants of a scope that are forgotten at once: more than were added, so that they do not pile up, and no more than are quick. */
const FORGOTTEN_MAX = 512
/** Scopes that are known at once, in some MB; beyond it all are read again. */
const KNOWN_MAX = 20_000

/**
 * Counts granted transactions in a sliding window, exactly, and as quickly for a busy agent as for any other.
 *
 * The grants of a scope are numbered, so how many are younger than an instant is the newest number less the first one
 * after it: two seeks, where counting rows would read them all. Times and numbers of a scope rise together, also when
 * the clock was set back.
 *
 * Every call stands inside the recorder's transaction, and nothing else writes these rows while the process has its
 * folder: so what is known of a scope stays true from one transaction to the next, until one is rolled back (`reset`).
 */
export function createGrantCounter(database: Sqlite.Database) {
  const columns = 'granted_at AS grantedAt, ordinal'
  const firstAfter = database.prepare<[string, number], Grant>(
    `SELECT ${columns} FROM transaction_grants WHERE scope = ? AND granted_at > ?
     ORDER BY granted_at, ordinal LIMIT 1`,
  )
  const newestOf = database.prepare<[string], Grant>(
    `SELECT ${columns} FROM transaction_grants WHERE scope = ? ORDER BY granted_at DESC, ordinal DESC LIMIT 1`,
  )
  const oldestOf = database.prepare<[string, number], Grant>(
    `SELECT ${columns} FROM transaction_grants WHERE scope = ? ORDER BY granted_at, ordinal LIMIT 1 OFFSET ?`,
  )
  const forget = database.prepare<[string, number]>(
    'DELETE FROM transaction_grants WHERE scope = ? AND granted_at <= ?',
  )
  const insert = database.prepare<[string, number, number]>(
    'INSERT INTO transaction_grants (scope, granted_at, ordinal) VALUES (?, ?, ?)',
  )
  const knownScopes = new Map<string, Known>()

  function loadScope(scope: string): Known {
    const known = knownScopes.get(scope)
    if (known) return known
    if (knownScopes.size >= KNOWN_MAX) knownScopes.clear()
    const read = { newest: newestOf.get(scope), firstInWindow: undefined, since: 0 }
    knownScopes.set(scope, read)
    return read
  }

  /** Drops the oldest grants of a scope that no window will ever hold again; all of a long pause in several goes. */
  function deleteOldest(scope: string, since: number): void {
    const oldest = oldestOf.get(scope, 0)
    if (oldest === undefined || oldest.grantedAt > since) return
    const kept = oldestOf.get(scope, FORGOTTEN_MAX)
    forget.run(scope, Math.min(since, kept?.grantedAt ?? since))
  }

  return {
    /** Reads everything again: a transaction that was rolled back took back what it had added. */
    reset(): void {
      knownScopes.clear()
    },

    /** How many grants of the scope are younger than `since` (epoch milliseconds). */
    count(scope: string, since: number): number {
      const known = loadScope(scope)
      if (known.newest === undefined || known.newest.grantedAt <= since) return 0
      const isKnown = known.firstInWindow && known.firstInWindow.grantedAt > since && known.since <= since
      if (!isKnown) {
        known.firstInWindow = firstAfter.get(scope, since)
        known.since = since
      }
      return known.firstInWindow === undefined ? 0 : known.newest.ordinal - known.firstInWindow.ordinal + 1
    },

    /** Adds one grant, and now and then drops some of the scope that no window will ever hold again. */
    add({ scope, grantedAt, since }: { scope: string; grantedAt: number; since: number }): void {
      const known = loadScope(scope)
      known.newest = {
        grantedAt: Math.max(grantedAt, known.newest?.grantedAt ?? 0),
        ordinal: (known.newest?.ordinal ?? 0) + 1,
      }
      insert.run(scope, known.newest.grantedAt, known.newest.ordinal)
      if (known.newest.ordinal % FORGET_EVERY === 0) deleteOldest(scope, since)
    },
  }
}
