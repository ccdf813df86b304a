import type { WebhookDelivery } from '../../store/endpoints/webhookDeliveryStore.ts'

/** A delivery as the log of an endpoint's webhook shows it. */
export type DeliveryView = ReturnType<typeof deliveryView>

/** Shows a delivery to the endpoint's owner. */
export function deliveryView(delivery: WebhookDelivery) {
  const { id, eventId, eventType, redeliveryOf, status, attempts } = delivery
  const { lastDurationMs, lastStatus, lastError } = delivery
  return {
    id,
    eventId,
    eventType,
    redeliveryOf,
    status,
    attempts,
    nextAttemptAt: status === 'pending' ? new Date(delivery.nextAttemptAt).toISOString() : null,
    lastAttemptAt: isoTime(delivery.lastAttemptAt),
    lastDurationMs,
    lastStatus,
    lastError,
    createdAt: new Date(delivery.createdAt).toISOString(),
    settledAt: isoTime(delivery.settledAt),
  }
}

function isoTime(epochMs: number | null): string | null {
  return epochMs === null ? null : new Date(epochMs).toISOString()
}
