import type { Config } from '../config.ts'
import { createMailFiles } from '../external/outbound/mailFiles.ts'
import type { Logger } from '../external/telemetry/logger.ts'
import { createRegistrationRequestStore } from '../store/approvals/registrationRequestStore.ts'
import type { Db } from '../store/database/database.ts'
import { createExpiredRowsStore } from '../store/database/expiredRowsStore.ts'
import { forgetPayers } from '../store/relayer/forgetPayers.ts'
import { createRoundsWorker } from '../workers/roundsWorker.ts'

const PAUSE_MS = 3_600_000
/** Maximum number of rows per table and round, so that no round blocks the database for long. */
const ROWS_MAX = 1_000
/** How long addresses of outreaches are kept, so that an owner’s question about a mail can be answered. */
const ADDRESSES_KEPT_MS = 30 * 24 * 3_600_000

/** How long a transaction counts for the budget of the relayer, and so for the share of an account and a network. */
const BUDGET_MS = 24 * 3_600_000

/** How long mails stay in files. An erasure deletes those to the person earlier, but only in the folder of its process. */
const MAILS_KEPT_MS = 30 * 24 * 3_600_000

/**
 * Composes the hourly deletion of expired rows, which any number of processes may run, and of the mails that this one wrote
 * to files.
 */
export function composeRetention(deps: {
  db: Db
  config: Pick<Config, 'retentionDays' | 'mail'>
  clock: () => number
  log: Logger
}) {
  const expired = createExpiredRowsStore(deps.config.retentionDays)
  const mails = createMailFiles(deps.config.mail.folder)
  const requests = createRegistrationRequestStore(deps.db.query)
  return createRoundsWorker({
    failing: 'expired rows or mails cannot be deleted',
    async round() {
      const now = deps.clock()
      const rows = await deps.db.transaction(async (trx) => {
        const forgotten = await requests.forgetAddresses(trx, now - ADDRESSES_KEPT_MS, ROWS_MAX)
        const paid = await forgetPayers(trx, now - BUDGET_MS, ROWS_MAX)
        return forgotten + paid + (await expired.delete(trx, now, ROWS_MAX))
      })
      return rows + (await mails.deleteBefore(now - MAILS_KEPT_MS))
    },
    pauseMs: PAUSE_MS,
    log: deps.log,
  })
}
