/**
 * Builds the body of a webhook: id, type, time and data of the event.
 *
 * It is written once, when the event is queued, so that every attempt sends the same bytes.
 *
 * @param event.occurredAt Epoch milliseconds. Source: docs/webhooks.md.
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
