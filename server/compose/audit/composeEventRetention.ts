import type { Logger } from '../../external/telemetry/logger.ts'
import { removeOldEvents } from '../../services/audit/removeOldEvents.ts'
import { createEventRetentionStore } from '../../store/audit/eventRetentionStore.ts'
import { createRecordTimes } from '../../store/audit/recordTimes.ts'
import type { Db } from '../../store/database/database.ts'
import { createWebhookStore } from '../../store/endpoints/webhookStore.ts'
import { createRoundsWorker } from '../../workers/roundsWorker.ts'

export type ComposeEventRetentionDeps = {
  db: Db
  /** Undefined if the content of events stays for ever. */
  days: number | undefined
  /** Resolves once everything committed before the call is in the feed. */
  catchUp(): Promise<unknown>
  clock: () => number
  log: Pick<Logger, 'error' | 'warn'>
}

const DAY_MS = 24 * 3_600_000
const PAUSE_MS = 3_600_000
/** Pause between two rounds with work, so that requests go first. */
const BREATH_MS = 50

/** Composes the hourly removal of old events’ content, which any number of processes may run. */
export function composeEventRetention({ db, days, catchUp, clock, log }: ComposeEventRetentionDeps) {
  const events = createEventRetentionStore(db.query)
  let reported: string | null = null
  const deps = {
    ...{ db, events, times: createRecordTimes(db.query), webhooks: createWebhookStore(db.query), catchUp },
    report(fault: string | null) {
      if (fault !== null && fault !== reported) log.warn({}, fault)
      reported = fault
    },
  }
  return createRoundsWorker({
    failing: 'the content of old events cannot be removed',
    async round() {
      if (days === undefined) return 0
      const now = clock()
      return removeOldEvents(deps, { before: now - days * DAY_MS, now })
    },
    pauseMs: PAUSE_MS,
    breathMs: BREATH_MS,
    log,
  })
}
