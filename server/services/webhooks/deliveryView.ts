import { toIsoTime } from '@svc/core/time/toIsoTime.ts'
import type { WebhookDelivery } from '../../store/endpoints/webhookDeliveryStore.ts'

/** A delivery in the log of an endpoint’s webhook. */
export type DeliveryView = ReturnType<typeof toDeliveryView>

/** Shows a delivery to the endpoint's owner. */
export function toDeliveryView(delivery: WebhookDelivery) {
  const { id, eventId, eventType, redeliveryOf, status, attempts } = delivery
  const { lastDurationMs, lastStatus, lastError } = delivery
  return {
    id,
    eventId,
    eventType,
    redeliveryOf,
    status,
    attempts,
    nextAttemptAt: status === 'pending' ? toIsoTime(delivery.nextAttemptAt) : null,
    lastAttemptAt: toIsoTime(delivery.lastAttemptAt),
    lastDurationMs,
    lastStatus,
    lastError,
    createdAt: toIsoTime(delivery.createdAt),
    settledAt: toIsoTime(delivery.settledAt),
  }
}
