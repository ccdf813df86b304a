import type { Knex } from 'knex'
import { isPostgres } from '../database/knexSettings.ts'
import { readLogSize } from './logSize.ts'

/** Committed records that have no place in the log yet. */
export type PendingRecords = {
  /** At most `COUNTED_MAX`. */
  count: number
  /** When the first of them was recorded, in epoch milliseconds; null if there is none. */
  oldestAt: number | null
}

/**
 * More are not counted, because a count takes longer the longer no record has been placed. Normally a few hundred wait; the
 * age of the oldest tells when it is more.
 */
const COUNTED_MAX = 10_000

/**
 * Every row. The table is mostly rows that were moved to the log and are not vacuumed yet, tens of thousands on a busy
 * service. The index skips them, and both ends of the range make the planner use it, whatever it knows of the table.
 */
const BY_INDEX = `position BETWEEN (SELECT min(position) FROM pending_records)
  AND (SELECT max(position) FROM pending_records)`

/** Reads how many committed records wait for their place; on SQLite, none ever does. */
export async function readPendingRecords(reader: Knex): Promise<PendingRecords> {
  if (!isPostgres(reader)) return { count: 0, oldestAt: null }
  const { rows } = await reader.raw(
    `SELECT count(*) AS count, (SELECT recorded_at FROM pending_records ORDER BY position LIMIT 1) AS oldest
     FROM (SELECT position FROM pending_records WHERE ${BY_INDEX} LIMIT ?) AS counted`,
    [COUNTED_MAX],
  )
  const [{ count, oldest }] = rows
  return { count: Number(count), oldestAt: oldest === null ? null : Number(oldest) }
}

/**
 * Counts all committed records, with and without a place: a record that is committed later gets this place or a later one.
 *
 * One statement, because a record may get its place between two.
 */
export async function countCommittedRecords(reader: Knex): Promise<number> {
  if (!isPostgres(reader)) return readLogSize(reader)
  const { rows } = await reader.raw(
    `SELECT (SELECT COALESCE(MAX(seq) + 1, 0) FROM audit_records)
       + (SELECT count(*) FROM pending_records WHERE ${BY_INDEX}) AS size`,
  )
  return Number(rows[0].size)
}
