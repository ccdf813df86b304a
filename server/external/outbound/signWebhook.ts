import { createHmac } from 'node:crypto'

export type WebhookMessage = {
  /** Identifies the event; the same in every attempt. */
  id: string
  /** Unix seconds of the attempt. */
  timestamp: number
  /** The raw body. */
  payload: string
  /** `whsec_…`: the endpoint's secret and, during a rotation, the previous one. */
  secrets: readonly string[]
}

const PREFIX = 'whsec_'

/**
 * Builds the headers by which a receiver authenticates a webhook, with one signature for each secret.
 *
 * There are two schemes over the same body: ours, in the form of Stripe's (`t=…,v1=<hex>`, keyed with the whole secret
 * string), and Standard Webhooks' (`v1,<base64>`, keyed with the bytes that the secret encodes).
 *
 * Source: `Spec: Authentication` 11.
 */
export function signWebhook({ id, timestamp, payload, secrets }: WebhookMessage): Record<string, string> {
  const ours = secrets.map((secret) => {
    const digest = createHmac('sha256', secret).update(`${timestamp}.${payload}`).digest('hex')
    return `v1=${digest}`
  })
  const standard = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
    const digest = createHmac('sha256', key).update(`${id}.${timestamp}.${payload}`).digest('base64')
    return `v1,${digest}`
  })
  return {
    'X-Svc-Signature': [`t=${timestamp}`, ...ours].join(','),
    'X-Svc-Timestamp': String(timestamp),
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': standard.join(' '),
  }
}
