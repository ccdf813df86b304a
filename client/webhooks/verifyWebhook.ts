import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * The whole set: `missing_secret` is the receiver's own configuration, and said whatever was sent; the others are about
 * the request, in the order in which they are looked for.
 */
type WebhookFault =
  | 'missing_secret'
  | 'missing_body'
  | 'missing_signature'
  | 'malformed_signature'
  | 'wrong_signature'
  | 'stale_timestamp'

/** Whether a webhook is the service's, and if not, why. */
export type WebhookVerdict = { ok: true; reason: null } | { ok: false; reason: WebhookFault }

type Headers = { get(name: string): string | null } | Readonly<Record<string, string | string[] | undefined>>

export type WebhookToVerify = {
  /** The body as it came, before any parsing; undefined, where nothing kept it, and a parsed one are never good. */
  rawBody: string | Uint8Array | undefined
  headers: Headers
  /** The endpoint's `whsec_…`; two while it rotates. Undefined or empty, where none is configured, is never good. */
  secret: string | readonly string[] | undefined
  /** How far the timestamp may be off, either way; 300 unless given. */
  toleranceSeconds?: number
  /** Epoch milliseconds; the clock when left out. */
  now?: number
}

const TOLERANCE_SECONDS_DEFAULT = 300
const SIGNATURES_MAX = 16

/**
 * Says whether a webhook was signed with the endpoint's secret, lately. Answer 401 where it was not.
 *
 * One of several signatures is enough, because a rotated secret signs on for a while. Compared in constant time;
 * never throws.
 *
 * Source: Spec: Authentication 11; docs/webhooks.md.
 */
export function verifyWebhook(webhook: WebhookToVerify): WebhookVerdict {
  const { rawBody, secret, toleranceSeconds = TOLERANCE_SECONDS_DEFAULT, now = Date.now() } = webhook
  const secrets = (typeof secret === 'string' ? [secret] : (secret ?? [])).filter(Boolean)
  if (secrets.length === 0) return failed('missing_secret')
  // Whoever has no types: what a parser left is not what was signed.
  if (typeof rawBody !== 'string' && !(rawBody instanceof Uint8Array)) return failed('missing_body')
  const header = headerOf(webhook.headers, 'X-Svc-Signature')
  if (!header) return failed('missing_signature')
  const parts = header.split(',').map((part) => part.trim())
  const timestamp = parts.find((part) => /^t=\d{1,12}$/.test(part))?.slice(2)
  const signatures = parts.filter((part) => /^v1=[0-9a-f]{64}$/.test(part)).slice(0, SIGNATURES_MAX)
  if (timestamp === undefined || signatures.length === 0) return failed('malformed_signature')
  const isSigned = secrets.some((one) => {
    const digest = createHmac('sha256', one).update(`${timestamp}.`).update(rawBody).digest()
    return signatures.some((signature) => timingSafeEqual(Buffer.from(signature.slice(3), 'hex'), digest))
  })
  if (!isSigned) return failed('wrong_signature')
  const offSeconds = Math.abs(now / 1000 - Number(timestamp))
  return offSeconds <= toleranceSeconds ? { ok: true, reason: null } : failed('stale_timestamp')
}

function failed(reason: WebhookFault): WebhookVerdict {
  return { ok: false, reason }
}

function headerOf(headers: Headers, name: string): string | undefined {
  if ('get' in headers && typeof headers.get === 'function') return headers.get(name) ?? undefined
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1]
  return Array.isArray(found) ? found.join(',') : typeof found === 'string' ? found : undefined
}
