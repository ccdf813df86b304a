import type { Config } from '../config.ts'
import type { Logger } from '../external/logger.ts'
import { createRegistrationRequestStore } from '../store/approvals/registrationRequestStore.ts'
import type { Db } from '../store/database/database.ts'
import { createExpiredRowsStore } from '../store/database/expiredRowsStore.ts'
import { createRoundsWorker } from '../workers/roundsWorker.ts'

const PAUSE_MS = 3_600_000
/** Maximum number of rows per table and round, so that no round blocks the database for long. */
const ROWS_MAX = 1_000
/** How long addresses of outreaches are kept, so that an owner’s question about a mail can be answered. */
const ADDRESSES_KEPT_MS = 30 * 24 * 3_600_000

/** Composes the hourly deletion of expired rows, which any number of processes may run. */
export function composeRetention(deps: {
  db: Db
  config: Pick<Config, 'retentionDays'>
  clock: () => number
  log: Logger
}) {
  const expired = createExpiredRowsStore(deps.config.retentionDays)
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
