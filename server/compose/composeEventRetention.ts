import type { Logger } from '../external/logger.ts'
import { removeOldEvents } from '../services/audit/removeOldEvents.ts'
import { createEventRetentionStore } from '../store/audit/eventRetentionStore.ts'
import type { Db } from '../store/database/database.ts'
import { createWebhookStore } from '../store/endpoints/webhookStore.ts'
import { createRoundsWorker } from '../workers/roundsWorker.ts'

export type ComposeEventRetentionDeps = {
  db: Db
  /** Undefined if the content of events stays for ever. */
  days: number | undefined
  /** Resolves once everything committed before the call is in the feed. */
  catchUp(): Promise<unknown>
  clock: () => number
  log: Pick<Logger, 'error'>
}

const DAY_MS = 24 * 3_600_000
const PAUSE_MS = 3_600_000
/** Pause between two rounds with work, so that requests go first. */
const BREATH_MS = 50

/** Composes the hourly removal of old events’ content, which any number of processes may run. */
export function composeEventRetention({ db, days, catchUp, clock, log }: ComposeEventRetentionDeps) {
  const events = createEventRetentionStore(db.query)
  const deps = { db, events, webhooks: createWebhookStore(db.query), catchUp }
  return createRoundsWorker({
    failing: 'the content of old events cannot be removed',
    round: async () => (days === undefined ? 0 : removeOldEvents(deps, clock() - days * DAY_MS)),
    pauseMs: PAUSE_MS,
    breathMs: BREATH_MS,
    log,
  })
}
