import type { Config } from '../config.ts'
import { deleteOldMails } from '../external/deleteOldMails.ts'
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

/** How long mails stay in files, in which an erasure does not look for a person. */
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
  const requests = createRegistrationRequestStore(deps.db.query)
  return createRoundsWorker({
    failing: 'expired rows or mails cannot be deleted',
    async round() {
      const now = deps.clock()
      const rows = await deps.db.transaction(async (trx) => {
        const forgotten = await requests.forgetAddresses(trx, now - ADDRESSES_KEPT_MS, ROWS_MAX)
        return forgotten + (await expired.delete(trx, now, ROWS_MAX))
      })
      return rows + (await deleteOldMails(deps.config.mail.folder, now - MAILS_KEPT_MS))
    },
    pauseMs: PAUSE_MS,
    log: deps.log,
  })
}
