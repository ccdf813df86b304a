import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { ADVISORY_KEYS } from '../../server/store/database/locks.advisory.ts'

const LOOK_EVERY_MS = 2
const HELD = `SELECT EXISTS (SELECT FROM pg_locks JOIN pg_database AS d ON d.oid = pg_locks.database
  WHERE locktype = 'advisory' AND granted AND d.datname = current_database()
    AND (classid::bigint, objid::bigint) = (${ADVISORY_KEYS.log})) AS held`

/**
 * Samples, while the work runs, whether the lock of the log is held: whether records get their places, which one process
 * at a time does.
 *
 * @returns The result of the work, and the share of samples, from 0 to 1, in which the lock was held.
 * @throws The error of the work, after sampling has stopped.
 */
export async function watchLogLock<Result>(
  databaseUrl: string,
  work: () => Promise<Result>,
): Promise<{ result: Result; share: number }> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  let isOver = false
  let [looks, held] = [0, 0]
  const look = async () => {
    while (!isOver) {
      const { rows } = await client.query({ name: 'held', text: HELD })
      looks += 1
      if (rows[0].held) held += 1
      await pause(LOOK_EVERY_MS)
    }
  }
  const end = () => {
    isOver = true
  }
  try {
    const [result] = await Promise.all([work().finally(end), look().finally(end)])
    return { result, share: held / looks }
  } finally {
    await client.end()
  }
}
