/**
 * The profile of HTTP message signatures by which an agent proves a request: what its own signatures cover, and the bounds
 * that a verifier holds every one of them to. Web Bot Auth and the Trusted Agent Protocol accept the same signatures.
 *
 * Source: RFC 9421; draft-ietf-webbotauth-httpsig-protocol; Visa Trusted Agent Protocol, Merchant Specifications.
 */

/** Why a request is signed: by an automated client, to browse, or to pay. */
export const SIGNATURE_TAGS = ['web-bot-auth', 'agent-browser-auth', 'agent-payer-auth'] as const

export type SignatureTag = (typeof SIGNATURE_TAGS)[number]

/**
 * The components that bind a signature to one request of one agent. `@target-uri` may stand in place of `@authority` and
 * `@path`. A request with a body must be signed with `content-digest` too, and one with `Signature-Agent` with that.
 */
export const REQUIRED_COMPONENTS = ['@authority', '@method', '@path', 'x-svc-id'] as const

/** Headers in which an agent states facts; its signature covers those that it sends. */
export const STATED_HEADERS = ['x-svc-purpose', 'x-svc-duration', 'x-svc-scope', 'x-svc-attempt-id'] as const

/** The longest time from `created` to `expires`. */
export const SIGNATURE_SECONDS_MAX = 300

/** Whether a text can be the `nonce` of a signature or the `jti` of an intent proof: 16 to 128 visible ASCII characters. */
export function isNonce(text: string): boolean {
  return /^[\x21-\x7e]{16,128}$/.test(text)
}
