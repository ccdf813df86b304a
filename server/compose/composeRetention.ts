import type { Logger } from '../external/logger.ts'
import { createRegistrationRequestStore } from '../store/approvals/registrationRequestStore.ts'
import type { Db } from '../store/database/database.ts'
import { createExpiredRowsStore } from '../store/database/expiredRowsStore.ts'
import { createRoundsWorker } from '../workers/roundsWorker.ts'

const PAUSE_MS = 3_600_000
/** Of each table at once, so that no round holds the database for long. */
const ROWS_MAX = 1_000
/** An owner who says that nobody asked can be answered for a month. */
const ADDRESSES_KEPT_MS = 30 * 24 * 3_600_000

/** Puts the round together that deletes what has expired, every hour; any number of processes may run it. */
export function composeRetention(deps: { db: Db; clock: () => number; log: Logger }) {
  const expired = createExpiredRowsStore()
  const requests = createRegistrationRequestStore(deps.db.query)
  return createRoundsWorker({
    failing: 'expired rows cannot be deleted',
    round: () =>
      deps.db.transaction(async (trx) => {
        const now = deps.clock()
        const forgotten = await requests.forgetAddresses(trx, now - ADDRESSES_KEPT_MS, ROWS_MAX)
        return forgotten + (await expired.delete(trx, now, ROWS_MAX))
      }),
    pauseMs: PAUSE_MS,
    log: deps.log,
  })
}
