import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { ADVISORY_KEYS } from '../../server/store/database/locks/locks.advisory.ts'

const LOOK_EVERY_MS = 10
const LOG_LOCK = `locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
  AND (classid::bigint, objid::bigint) = (${ADVISORY_KEYS.log})`
const LOOK = `SELECT
  EXISTS (SELECT FROM pg_locks WHERE granted AND ${LOG_LOCK}) AS "isHeld",
  EXISTS (SELECT FROM pg_locks JOIN pg_stat_activity USING (pid) WHERE ${LOG_LOCK} AND application_name = 'svc-recorder')
    AS "isInTheWay",
  (SELECT count(*) FROM pg_stat_activity AS s WHERE datname = current_database() AND application_name = 'svc-recorder'
    AND wait_event_type = 'Lock') AS "waiting"`

/** What the database's sessions did while the work ran; shares of its time are from 0 to 1. */
export type SessionShares = {
  /** The lock of the log was held, by whichever session gives records their places. */
  logLocked: number
  /** A session that commits decisions held that lock or waited for it. */
  inTheWay: number
  /** Sessions that commit decisions and waited for a lock of another one, on average. */
  waiting: number
}

/**
 * Samples, while the work runs, who holds the lock of the log and who waits for locks.
 *
 * @throws The error of the work, after sampling has stopped.
 */
export async function watchSessions<Result>(
  databaseUrl: string,
  work: () => Promise<Result>,
): Promise<{ result: Result; shares: SessionShares }> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  let isOver = false
  const sums = { looks: 0, logLocked: 0, inTheWay: 0, waiting: 0 }
  const look = async () => {
    while (!isOver) {
      const { rows } = await client.query({ name: 'look', text: LOOK })
      sums.looks += 1
      sums.logLocked += Number(rows[0].isHeld)
      sums.inTheWay += Number(rows[0].isInTheWay)
      sums.waiting += Number(rows[0].waiting)
      await pause(LOOK_EVERY_MS)
    }
  }
  const end = () => {
    isOver = true
  }
  try {
    const [result] = await Promise.all([work().finally(end), look().finally(end)])
    const { looks, logLocked, inTheWay, waiting } = sums
    const shares = { logLocked: logLocked / looks, inTheWay: inTheWay / looks, waiting: waiting / looks }
    return { result, shares }
  } finally {
    await client.end()
  }
}
