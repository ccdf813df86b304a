/**
 * The profile of HTTP message signatures by which an agent proves a request: what its own signatures cover, and the bounds
 * that a verifier holds every one of them to. Web Bot Auth and the Trusted Agent Protocol accept the same signatures.
 *
 * Source: RFC 9421; draft-ietf-webbotauth-httpsig-protocol; Visa Trusted Agent Protocol, Merchant Specifications.
 */

/** Why a request is signed: by an automated client, to browse, or to pay. */
export const SIGNATURE_TAGS = ['web-bot-auth', 'agent-browser-auth', 'agent-payer-auth'] as const

export type SignatureTag = (typeof SIGNATURE_TAGS)[number]

/** The components that bind every signature of an agent; more are needed for a request that has more. */
const ALWAYS_COVERED = ['@authority', '@method', '@path', 'x-svc-id'] as const

/** The parts of a request that a signature has to cover if they are there. */
export type RequestParts = {
  /** The target has a query. */
  hasQuery: boolean
  hasBody: boolean
  /** The request names the directory of the signer's keys. */
  hasSignatureAgent: boolean
}

/**
 * Lists the components that a signature must cover to prove that the agent sent exactly this request. Without the query, for
 * example, anyone on the way could add one.
 *
 * Source: ERC-8128 §3.1.1 (Request-Bound); draft-ietf-webbotauth-httpsig-protocol "Signature-Agent".
 */
export function listRequiredComponents({ hasQuery, hasBody, hasSignatureAgent }: RequestParts): string[] {
  return [
    ...ALWAYS_COVERED,
    ...(hasQuery ? ['@query'] : []),
    ...(hasBody ? ['content-digest'] : []),
    ...(hasSignatureAgent ? ['signature-agent'] : []),
  ]
}

const WITHIN_TARGET_URI: readonly string[] = ['@authority', '@path', '@query']

/** Returns the required components that a signature does not cover. `@target-uri` covers the parts of the target. */
export function findUncoveredComponents(covered: readonly string[], parts: RequestParts): string[] {
  const isCovered = (name: string) =>
    covered.includes(name) || (covered.includes('@target-uri') && WITHIN_TARGET_URI.includes(name))
  return listRequiredComponents(parts).filter((name) => !isCovered(name))
}

/** Headers in which an agent states facts; its signature covers those that it sends. */
export const STATED_HEADERS = ['x-svc-purpose', 'x-svc-duration', 'x-svc-scope', 'x-svc-attempt-id'] as const

/** The longest time from `created` to `expires`. */
export const SIGNATURE_SECONDS_MAX = 300

/** Whether a text can be the `nonce` of a signature or the `jti` of an intent proof: 16 to 128 visible ASCII characters. */
export function isNonce(text: string): boolean {
  return /^[\x21-\x7e]{16,128}$/.test(text)
}
