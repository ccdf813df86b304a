import type { Locks, SharedLock } from './locks.ts'

/** First half of the key of our advisory locks, to avoid collisions: `svc` in ASCII. */
const OURS = 0x737663

/**
 * The advisory locks that are taken by kind, as arguments of `pg_advisory_xact_lock`.
 *
 * `log` is held by whoever gives committed records their places, until the places are committed, so that they have no gaps;
 * processes of earlier releases take it to append. No answer waits for it.
 */
export const ADVISORY_KEYS = {
  migrations: `${OURS}, 1`,
  useCases: `${OURS}, 2`,
  log: `${OURS}, 3`,
} as const satisfies Record<SharedLock, string>

/**
 * Advisory locks, which need no rows: they also lock what is not stored yet.
 *
 * Source: PostgreSQL 15 §13.3.5 "Advisory Locks".
 */
export const advisoryLocks: Locks = {
  exclusive: (lock) => ({ text: `SELECT pg_advisory_xact_lock(${ADVISORY_KEYS[lock]})` }),
  shared: (lock) => [{ text: `SELECT pg_advisory_xact_lock_shared(${ADVISORY_KEYS[lock]})` }],
  named: (names) => ({
    name: 'lock_names',
    text: 'SELECT pg_advisory_xact_lock(hashtextextended(name, 0)) FROM unnest($1::text[]) AS name',
    values: [[...new Set(names)].sort()],
  }),
}
