/**
 * The body of a webhook: which event, of what kind, when, and what happened.
 *
 * Written once when the event is queued, so that every attempt sends the same bytes.
 *
 * @param event.occurredAt Epoch milliseconds.
 * Source: api.md "Webhook signature" (Delivery).
 */
export function buildWebhookPayload(event: {
  id: string
  type: string
  occurredAt: number
  data: object
}): string {
  const { id, type, occurredAt, data } = event
  return JSON.stringify({ id, type, timestamp: new Date(occurredAt).toISOString(), data })
}
