import type { WebhookFault, WebhookHeaders, WebhookToVerify, WebhookVerdict } from './webhook.ts'

/** The parts of a webhook that its signatures are computed from. */
export type SignedWebhook = {
  secrets: readonly string[]
  body: string | Uint8Array
  /** Unix seconds, as sent. */
  timestamp: string
  /** 64 lower-case hexadecimal digits each. */
  signatures: readonly string[]
  /** The verdict once it is known whether one of the signatures was made with one of the secrets. */
  verdictOf(isSigned: boolean): WebhookVerdict
}

const TOLERANCE_SECONDS_DEFAULT = 300
const SIGNATURES_MAX = 16

/**
 * Reads what a webhook's signatures are checked with, or says why there is nothing to check. Never throws.
 *
 * Source: Spec: Authentication 11; docs/webhooks.md.
 */
export function readSignedWebhook(
  webhook: WebhookToVerify,
): { ok: true; signed: SignedWebhook } | { ok: false; reason: WebhookFault } {
  const { rawBody, secret, toleranceSeconds = TOLERANCE_SECONDS_DEFAULT, now = Date.now() } = webhook
  const secrets = (typeof secret === 'string' ? [secret] : (secret ?? [])).filter(Boolean)
  if (secrets.length === 0) return reject('missing_secret')
  // JavaScript callers may pass a parsed body, which is not what was signed.
  if (typeof rawBody !== 'string' && !(rawBody instanceof Uint8Array)) return reject('missing_body')
  const header = headerOf(webhook.headers, 'X-Svc-Signature')
  if (!header) return reject('missing_header')
  const parts = header.split(',').map((part) => part.trim())
  const timestamp = parts.find((part) => /^t=\d{1,12}$/.test(part))?.slice(2)
  const signatures = parts.filter((part) => /^v1=[0-9a-f]{64}$/.test(part)).slice(0, SIGNATURES_MAX)
  if (timestamp === undefined || signatures.length === 0) return reject('malformed_header')
  const isRecent = Math.abs(now / 1000 - Number(timestamp)) <= toleranceSeconds
  return {
    ok: true,
    signed: {
      ...{ secrets, body: rawBody, timestamp },
      signatures: signatures.map((signature) => signature.slice('v1='.length)),
      verdictOf: (isSigned) => {
        if (!isSigned) return reject('signature_mismatch')
        return isRecent ? { ok: true, reason: null } : reject('timestamp_out_of_tolerance')
      },
    },
  }
}

function reject(reason: WebhookFault): { ok: false; reason: WebhookFault } {
  return { ok: false, reason }
}

function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  if ('get' in headers && typeof headers.get === 'function') return headers.get(name) ?? undefined
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1]
  return Array.isArray(found) ? found.join(',') : typeof found === 'string' ? found : undefined
}
