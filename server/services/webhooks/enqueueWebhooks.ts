import { generateUuidV7 } from '@svc/core/ids/uuids.ts'
import type { NewDelivery } from '../../store/endpoints/webhookDeliveryStore.ts'
import type { HookedEvent } from '../../store/endpoints/webhookStore.ts'
import { toEventView } from '../activity/eventView.ts'
import { buildWebhookPayload } from './buildWebhookPayload.ts'
import type { WebhookDeps } from './webhookDeps.ts'

/** Records looked at in one round; bounds how long a round holds the event loop and the write lock. */
const LOOK_MAX = 200
/** How far the stored place may lie behind where nothing was found; what a restart looks at once more. */
const UNSAVED_MAX = 10_000

export type EnqueueWebhooksDeps = Pick<WebhookDeps, 'db' | 'stores' | 'settings' | 'onQueued'> & {
  /** How many records the log holds. */
  logSize(): Promise<number>
}

/**
 * Follows the log and puts what happens at endpoints with a webhook into the outbox: one round a call, which answers how
 * many records it looked at.
 *
 * Runs in the service's own time, after the commit of what it tells of. The deliveries and the place in the log up to
 * which there are some are one transaction, and the place moves only from where it was read: each event is queued once,
 * however many processes look and whenever one of them dies.
 */
export function createEnqueueWebhooks(deps: EnqueueWebhooksDeps): () => Promise<number> {
  const { webhooks, deliveries } = deps.stores
  /** Up to here nothing was found that is not queued; only this process's knowledge. */
  let lookedUpTo = 0
  return async () => {
    const place = await webhooks.nextPlace()
    if (place === null) return 0
    const size = await deps.logSize()
    const from = Math.max(place.from, Math.min(lookedUpTo, size))
    const to = Math.min(size, from + LOOK_MAX)
    if (to <= from) return 0
    const events = await webhooks.hookedEvents({ from, to })
    const rows = events.map((event) => deliveryOf(deps, event))
    if (rows.length > 0 || to - place.stored > UNSAVED_MAX) {
      const queued = await deps.db.transaction(async (trx) => {
        if (!(await webhooks.advance(trx, { stored: place.stored, next: to }))) return false
        await deliveries.add(trx, rows)
        return true
      })
      if (queued && rows.length > 0) deps.onQueued()
      if (!queued) return to - from
    }
    lookedUpTo = to
    return to - from
  }
}

/** Masked as the activity feed is for the endpoint's owner: never more than that owner may see. */
function deliveryOf({ settings }: EnqueueWebhooksDeps, event: HookedEvent): NewDelivery {
  const { clock, randomBytes } = settings
  const now = clock()
  const view = toEventView(event, new Set([event.endpointOwnerId]))
  const { auditRecordId, agentId, endpointId, callerCategory, eventData } = view
  return {
    id: generateUuidV7(now, randomBytes(10)),
    endpointId: event.endpointId ?? '',
    eventId: view.id,
    eventType: view.eventType,
    redeliveryOf: null,
    seq: Number(event.seq),
    payload: buildWebhookPayload({
      id: view.id,
      type: view.eventType,
      occurredAt: Number(event.recordedAt),
      data: { auditRecordId, agentId, endpointId, callerCategory, eventData },
    }),
    host: new URL(event.webhookUrl).host,
    createdAt: now,
  }
}
