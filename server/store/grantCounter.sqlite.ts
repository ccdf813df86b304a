import type Sqlite from 'better-sqlite3'

type Grant = { grantedAt: number; ordinal: number }

/** What one group of outcomes has learnt of a scope, so that it reads it once and not for each of them. */
type Known = {
  newest: Grant | undefined
  /** The first grant after `since`. */
  firstInWindow: Grant | undefined
  since: number
  hasForgotten: boolean
}

/** Grants that one group forgets of a scope: more than it can add, so that they do not pile up, and no more than are quick. */
const FORGOTTEN_MAX = 512

/**
 * Counts granted transactions in a sliding window, exactly, and as quickly for a busy agent as for any other.
 *
 * The grants of a scope are numbered, so how many are younger than an instant is the newest number less the first one
 * after it: two seeks, where counting rows would read them all. Times and numbers of a scope rise together, also when
 * the clock was set back. Every call stands inside the recorder's transaction; `startGroup` begins a new one.
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
  const group = new Map<string, Known>()

  function knownOf(scope: string): Known {
    const known = group.get(scope)
    if (known) return known
    const read = { newest: newestOf.get(scope), firstInWindow: undefined, since: 0, hasForgotten: false }
    group.set(scope, read)
    return read
  }

  /** Drops the oldest grants of a scope that no window will ever hold again; all of a long pause in several groups. */
  function forgetSome(scope: string, since: number): void {
    const oldest = oldestOf.get(scope, 0)
    if (oldest === undefined || oldest.grantedAt > since) return
    const kept = oldestOf.get(scope, FORGOTTEN_MAX)
    forget.run(scope, Math.min(since, kept?.grantedAt ?? since))
  }

  return {
    /** Forgets what an earlier transaction read. */
    startGroup(): void {
      group.clear()
    },

    /** How many grants of the scope are younger than `since` (epoch milliseconds). */
    count(scope: string, since: number): number {
      const known = knownOf(scope)
      if (known.newest === undefined || known.newest.grantedAt <= since) return 0
      const isKnown = known.firstInWindow && known.firstInWindow.grantedAt > since && known.since <= since
      if (!isKnown) {
        known.firstInWindow = firstAfter.get(scope, since)
        known.since = since
      }
      return known.firstInWindow === undefined ? 0 : known.newest.ordinal - known.firstInWindow.ordinal + 1
    },

    /** Adds one grant, and drops some of the scope that no window will ever hold again. */
    add({ scope, grantedAt, since }: { scope: string; grantedAt: number; since: number }): void {
      const known = knownOf(scope)
      if (!known.hasForgotten) forgetSome(scope, since)
      known.hasForgotten = true
      known.newest = {
        grantedAt: Math.max(grantedAt, known.newest?.grantedAt ?? 0),
        ordinal: (known.newest?.ordinal ?? 0) + 1,
      }
      insert.run(scope, known.newest.grantedAt, known.newest.ordinal)
    },
  }
}
