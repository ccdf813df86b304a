/** The webhook of an endpoint. Source: api.md "Endpoints" (`…/webhook`). */
export type EndpointWebhook = {
  url: string | null
  status: 'none' | 'active' | 'disabled' | 'archived'
  disabledAt: string | null
  secret: string | null
  previousSecretUntil: string | null
}

/** One event on its way to the webhook, or past it. */
export type WebhookDelivery = {
  id: string
  eventType: string
  redeliveryOf: string | null
  status: 'pending' | 'delivered' | 'failed' | 'cancelled'
  attempts: number
  nextAttemptAt: string | null
  lastStatus: number | null
  lastError: string | null
  lastDurationMs: number | null
  createdAt: string
}
