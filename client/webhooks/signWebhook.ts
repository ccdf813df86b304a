import { createHmac } from 'node:crypto'

/**
 * Returns the headers with which the service would sign a webhook, for testing a receiver.
 *
 * @param message `timestamp` is in Unix seconds; each secret adds a signature.
 * Source: Spec: Authentication 11; docs/webhooks.md.
 */
export function signWebhook(message: {
  rawBody: string | Uint8Array
  secret: string | readonly string[]
  timestamp: number
}): Record<string, string> {
  const { rawBody, secret, timestamp } = message
  const secrets = typeof secret === 'string' ? [secret] : secret
  const signatures = secrets.map((one) => {
    const digest = createHmac('sha256', one).update(`${timestamp}.`).update(rawBody).digest('hex')
    return `v1=${digest}`
  })
  return {
    'X-Svc-Signature': [`t=${timestamp}`, ...signatures].join(','),
    'X-Svc-Timestamp': String(timestamp),
  }
}
