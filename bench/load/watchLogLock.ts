import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { POSTGRES_LOCKS } from '../../server/store/postgresLocks.ts'

const LOOK_EVERY_MS = 2
const HELD = `SELECT EXISTS (SELECT FROM pg_locks JOIN pg_database AS d ON d.oid = pg_locks.database
  WHERE locktype = 'advisory' AND granted AND d.datname = current_database()
    AND (classid::bigint, objid::bigint) = (${POSTGRES_LOCKS.log})) AS held`

/**
 * Looks again and again whether somebody holds the lock of the log, which is all that the processes over one database
 * cannot do side by side.
 *
 * @returns What ends it and tells in which share of the looks, 0 to 1, the lock was held.
 */
export async function watchLogLock(databaseUrl: string): Promise<() => Promise<number>> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  let isOver = false
  let [looks, held] = [0, 0]
  const watching = (async () => {
    while (!isOver) {
      const { rows } = await client.query({ name: 'held', text: HELD })
      looks += 1
      if (rows[0].held) held += 1
      await pause(LOOK_EVERY_MS)
    }
  })()
  return async () => {
    isOver = true
    await watching
    await client.end()
    return held / looks
  }
}
