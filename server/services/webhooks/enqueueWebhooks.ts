import { generateUuidV7 } from '@svc/core/ids/uuids.ts'
import type { NewDelivery } from '../../store/endpoints/webhookDeliveryStore.ts'
import type { HookedEvent } from '../../store/endpoints/webhookStore.ts'
import { toEventView } from '../activity/eventView.ts'
import { buildWebhookPayload } from './buildWebhookPayload.ts'
import type { WebhookDeps } from './webhookDeps.ts'

/** Maximum records per round; bounds how long a round blocks the event loop and the write lock. */
const LOOK_MAX = 200
/** How far the stored position may lag behind when nothing was found; a restart reads these records again. */
const UNSAVED_MAX = 10_000

export type EnqueueWebhooksDeps = Pick<WebhookDeps, 'db' | 'stores' | 'settings' | 'onQueued'> & {
  /** Number of records that have a place in the log. */
  logSize(): Promise<number>
}

/**
 * Creates the function that follows the log and queues deliveries for events at endpoints with a webhook. Each call runs
 * one round and returns the number of records read.
 *
 * It runs in the background, after the commit of the events. One transaction stores the deliveries and the new position in
 * the log, and the position only moves from where it was read: each event is queued once, however many processes run and
 * whenever one dies.
 */
export function createEnqueueWebhooks(deps: EnqueueWebhooksDeps): () => Promise<number> {
  const { webhooks, deliveries } = deps.stores
  /** Up to here nothing was left to queue, as far as this process knows. */
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
      const queued = await deps.db.transaction(
        async (trx) => {
          if (!(await webhooks.advance(trx, { stored: place.stored, next: to }))) return false
          await deliveries.add(trx, rows)
          return true
        },
        ['job webhooks'],
      )
      if (queued && rows.length > 0) deps.onQueued()
      if (!queued) return to - from
    }
    lookedUpTo = to
    return to - from
  }
}

/** Masked like the activity feed of the endpoint's owner, who must not learn more. */
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
