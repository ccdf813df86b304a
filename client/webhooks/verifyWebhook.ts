import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * Why a webhook is rejected, in the order of the checks. `missing_secret` is a mistake in the receiver's configuration and
 * is reported for every request; the others are about the request.
 */
export type WebhookFault =
  | 'missing_secret'
  | 'missing_body'
  | 'missing_signature'
  | 'malformed_signature'
  | 'wrong_signature'
  | 'stale_timestamp'

/** Whether a webhook comes from the service, and if not, why. */
export type WebhookVerdict = { ok: true; reason: null } | { ok: false; reason: WebhookFault }

/** Headers as Fetch or Node has them. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | string[] | undefined>>

/** A webhook as received, and what to check it against. */
export type WebhookToVerify = {
  /** The body as received, before any parsing. Undefined (nothing stored it) or a parsed body fails. */
  rawBody: string | Uint8Array | undefined
  headers: WebhookHeaders
  /** The endpoint's `whsec_…`, or both secrets during a rotation. Undefined or empty (none is configured) fails. */
  secret: string | readonly string[] | undefined
  /** How far the timestamp may differ from the clock, in either direction; default 300. */
  toleranceSeconds?: number
  /** Epoch milliseconds; default the clock. */
  now?: number
}

const TOLERANCE_SECONDS_DEFAULT = 300
const SIGNATURES_MAX = 16

/**
 * Checks whether a webhook was signed with the endpoint's secret, and recently. Respond with 401 if it was not.
 *
 * One valid signature is enough if there are several, because a rotated secret keeps signing for a while. Signatures are
 * compared in constant time. Never throws.
 *
 * Source: Spec: Authentication 11; docs/webhooks.md.
 */
export function verifyWebhook(webhook: WebhookToVerify): WebhookVerdict {
  const { rawBody, secret, toleranceSeconds = TOLERANCE_SECONDS_DEFAULT, now = Date.now() } = webhook
  const secrets = (typeof secret === 'string' ? [secret] : (secret ?? [])).filter(Boolean)
  if (secrets.length === 0) return reject('missing_secret')
  // JavaScript callers may pass a parsed body, which is not what was signed.
  if (typeof rawBody !== 'string' && !(rawBody instanceof Uint8Array)) return reject('missing_body')
  const header = headerOf(webhook.headers, 'X-Svc-Signature')
  if (!header) return reject('missing_signature')
  const parts = header.split(',').map((part) => part.trim())
  const timestamp = parts.find((part) => /^t=\d{1,12}$/.test(part))?.slice(2)
  const signatures = parts.filter((part) => /^v1=[0-9a-f]{64}$/.test(part)).slice(0, SIGNATURES_MAX)
  if (timestamp === undefined || signatures.length === 0) return reject('malformed_signature')
  const isSigned = secrets.some((one) => {
    const digest = createHmac('sha256', one).update(`${timestamp}.`).update(rawBody).digest()
    return signatures.some((signature) => timingSafeEqual(Buffer.from(signature.slice(3), 'hex'), digest))
  })
  if (!isSigned) return reject('wrong_signature')
  const differenceSeconds = Math.abs(now / 1000 - Number(timestamp))
  return differenceSeconds <= toleranceSeconds ? { ok: true, reason: null } : reject('stale_timestamp')
}

function reject(reason: WebhookFault): WebhookVerdict {
  return { ok: false, reason }
}

function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  if ('get' in headers && typeof headers.get === 'function') return headers.get(name) ?? undefined
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1]
  return Array.isArray(found) ? found.join(',') : typeof found === 'string' ? found : undefined
}
