/**
 * Why a webhook is rejected, in the order of the checks. `missing_secret` is a mistake in the receiver's configuration and
 * is reported for every request; the others are about the request. A header that lacks the time or every usable signature
 * is malformed.
 */
export type WebhookFault =
  | 'missing_secret'
  | 'missing_body'
  | 'missing_header'
  | 'malformed_header'
  | 'signature_mismatch'
  | 'timestamp_out_of_tolerance'

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
  toleranceSeconds?: number | undefined
  /** Epoch milliseconds; default the clock. */
  now?: number | undefined
}
