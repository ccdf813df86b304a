import { createHmac, timingSafeEqual } from 'node:crypto'
import { readSignedWebhook } from './readSignedWebhook.ts'
import type { WebhookToVerify, WebhookVerdict } from './webhook.ts'

/**
 * Checks whether a webhook was signed with the endpoint's secret, and recently. Respond with 401 if it was not.
 *
 * One valid signature is enough if there are several, because a rotated secret keeps signing for a while. Signatures are
 * compared in constant time. Never throws.
 *
 * Source: Spec: Authentication 11; docs/webhooks.md.
 */
export function verifyWebhook(webhook: WebhookToVerify): WebhookVerdict {
  const read = readSignedWebhook(webhook)
  if (!read.ok) return read
  const { secrets, body, timestamp, signatures, verdictOf } = read.signed
  const isSigned = secrets.some((secret) => {
    const digest = createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest()
    return signatures.some((signature) => timingSafeEqual(Buffer.from(signature, 'hex'), digest))
  })
  return verdictOf(isSigned)
}
