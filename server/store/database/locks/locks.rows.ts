import { createHash } from 'node:crypto'
import type { QueryConfig } from 'pg'
import type { Locks, SharedLock } from './locks.ts'

/** Number of rows for names. Names that share one wait for each other unnecessarily, which is harmless. */
const SLOTS = 16_384
/** Number of rows of which a shared holder locks one, and an exclusive one all: how many can share a lock at a time. */
const SHARES = 64

/** The rows of each lock; names have the rows from 0. */
const ROWS: Readonly<Record<SharedLock, readonly number[]>> = {
  migrations: [-1],
  log: [-2],
  useCases: Array.from({ length: SHARES }, (_, nth) => nth - SHARES - 2),
}

/** Creates the rows, also before the first migration, because migrations are locked too. */
export const CREATE_LOCK_ROWS = [
  'CREATE TABLE IF NOT EXISTS lock_rows (slot INTEGER PRIMARY KEY)',
  `INSERT INTO lock_rows SELECT generate_series(${-SHARES - 2}, ${SLOTS - 1}) ON CONFLICT DO NOTHING`,
] as const

/**
 * Locks that are rows of a table, for databases without advisory locks.
 *
 * A row is locked by `FOR UPDATE` in the transaction that makes the change, so the transaction itself is the lease and the
 * fence: a holder that disconnects is rolled back, and none can write after it has lost its lock. A shared holder takes a
 * free row of several instead of `FOR SHARE`, with which PostgreSQL lets later sharers overtake whoever waits for all,
 * perhaps for ever.
 *
 * Source: PostgreSQL 15 §13.3.2 "Row-Level Locks".
 */
export const rowLocks: Locks = {
  exclusive: (lock) => lockRows(ROWS[lock]),
  shared: (lock) => [lockFreeRow(ROWS[lock]), lockRows(ROWS[lock].slice(-1))],
  named: (names) => lockRows([...new Set([...names].map(slotOf))]),
}

function lockFreeRow(slots: readonly number[]): QueryConfig {
  return {
    name: 'lock_free_row',
    text: 'SELECT slot FROM lock_rows WHERE slot = ANY ($1::integer[]) LIMIT 1 FOR UPDATE SKIP LOCKED',
    values: [slots],
  }
}

function lockRows(slots: readonly number[]): QueryConfig {
  return {
    name: 'lock_rows',
    text: 'SELECT slot FROM lock_rows WHERE slot = ANY ($1::integer[]) ORDER BY slot FOR UPDATE',
    values: [slots],
  }
}

function slotOf(name: string): number {
  return createHash('sha256').update(name).digest().readUInt32BE() % SLOTS
}
