import type { Logger } from '../external/logger.ts'
import type { Db } from '../store/database.ts'
import { createExpiredRowsStore } from '../store/expiredRowsStore.ts'
import { createRoundsWorker } from '../workers/roundsWorker.ts'

const PAUSE_MS = 3_600_000
/** Of each table at once, so that no round holds the database for long. */
const ROWS_MAX = 1_000

/** Puts the round together that deletes what has expired, every hour; any number of processes may run it. */
export function composeRetention(deps: { db: Db; clock: () => number; log: Logger }) {
  const expired = createExpiredRowsStore()
  return createRoundsWorker({
    failing: 'expired rows cannot be deleted',
    round: () => deps.db.transaction((trx) => expired.delete(trx, deps.clock(), ROWS_MAX)),
    pauseMs: PAUSE_MS,
    log: deps.log,
  })
}
