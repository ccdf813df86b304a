import type Sqlite from 'better-sqlite3'

type Grant = { grantedAt: number; ordinal: number }

/** The cached state of a scope. */
type Known = {
  newest: Grant | undefined
  /** The first grant after `since`. */
  firstInWindow: Grant | undefined
  since: number
}

/** How many new grants of a scope there are per clean-up of old ones. */
const FORGET_EVERY = 64
/** Grants of a scope deleted at once: more than are added in between, and few enough to be quick. */
const FORGOTTEN_MAX = 512
/** Maximum number of cached scopes, a few MB; beyond it the cache is emptied. */
const KNOWN_MAX = 20_000

/**
 * Counts granted transactions in a sliding window exactly, at the same speed for busy agents.
 *
 * The grants of a scope are numbered, so the count is the newest number minus the first number in the window: two index
 * seeks instead of reading all rows. Times and numbers of a scope rise together, even if the clock was set back.
 *
 * Every call runs inside the recorder’s transaction, and nothing else adds rows while the process has locked its folder.
 * The retention job deletes rows that are a day old, some or all of a scope. None of them counts, and the next number
 * follows the newest one, cached or stored, so the numbers in the window have no gap. The cached state of a scope therefore
 * stays valid from one transaction to the next, until one is rolled back (`reset`).
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

  /**
   * Deletes the oldest grants of a scope that no window will ever include again; after a long pause, several calls delete
   * them all.
   */
  function deleteOldest(scope: string, since: number): void {
    const oldest = oldestOf.get(scope, 0)
    if (oldest === undefined || oldest.grantedAt > since) return
    const kept = oldestOf.get(scope, FORGOTTEN_MAX)
    forget.run(scope, Math.min(since, kept?.grantedAt ?? since))
  }

  return {
    /** Empties the cache, because a rolled back transaction removed the rows it had added. */
    reset(): void {
      knownScopes.clear()
    },

    /** Counts the grants of the scope after `since` (epoch milliseconds). */
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

    /** Adds a grant, and occasionally deletes grants of the scope that no window will ever include again. */
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
