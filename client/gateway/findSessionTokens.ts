import type { ReceivedRequest } from './readRequest.ts'

/**
 * A token of a session that a request carries. Nothing has been checked: neither its signature, nor who issued it, nor that
 * it belongs to the caller.
 *
 * `source` says where it was found: `path`, or the name of the header or metadata member in lower case. A `chain` lists
 * SD-JWTs in the order of the request.
 *
 * Source: Spec: Third-party credentials and session tokens.
 */
export type SessionToken = { isValidated: false; source: string } & (
  | { type: 'sd_jwt'; chain: readonly string[] }
  | { type: 'http_signature'; signature: string; signatureInput: string }
  | { type: 'signed_webhook'; signature: string }
  | { type: 'checkout_session'; id: string }
)

/** A compact SD-JWT, with or without disclosures and a key binding. Source: RFC 9901 §4. */
const SD_JWT = /^[\w-]+\.[\w-]+\.[\w-]*~(?:[\w-]+~)*(?:[\w-]+\.[\w-]+\.[\w-]*)?$/
/** The webhooks of this service and of Stripe, and Standard Webhooks. */
const WEBHOOK_SIGNATURES: Readonly<Record<string, RegExp>> = {
  'x-svc-signature': /^t=\d+,.*v1=/,
  'stripe-signature': /^t=\d+,.*v1=/,
  'webhook-signature': /^v1a?,/,
}
/** ACP writes `checkout_sessions`, UCP `checkout-sessions`. */
const CHECKOUT_PATH = /\/checkout[_-]sessions?\/([\w.~-]{1,200})(?:\/|$)/i
const CHECKOUT_NAME = /^(?:x-)?checkout[_-]?session(?:[_-]?id)?$/
const CHECKOUT_ID = /^[\w.~:-]{1,200}$/
const TOKENS_MAX = 32

/**
 * Finds the session tokens of a request: SD-JWT chains, HTTP message signatures (RFC 9421), signatures of webhooks and
 * checkout sessions. They are passed on to the application and never influence the decision.
 *
 * Headers, metadata and path are searched, but not the body, which the gateway does not read.
 *
 * Source: Spec: Third-party credentials and session tokens.
 */
export function findSessionTokens({ facts, headers, path }: ReceivedRequest): SessionToken[] {
  const tokens = [...findCheckoutInPath(path), ...findHttpSignature(headers)]
  for (const name of Object.keys(headers)) {
    if (mayHoldToken(name, headers[name])) tokens.push(...findInValue(name, headers[name]))
  }
  for (const [name, value] of Object.entries(facts.metadata ?? {})) {
    const source = name.toLowerCase()
    if (mayHoldToken(source, value)) tokens.push(...findInValue(source, value))
  }
  return tokens.slice(0, TOKENS_MAX)
}

/** False for nearly all values: a token has a separator, or a name of its own. */
function mayHoldToken(source: string, value: unknown): boolean {
  if (typeof value !== 'string' || value.includes('~')) return true
  return source.endsWith('-signature') || source.includes('checkout')
}

function findCheckoutInPath(path: string): SessionToken[] {
  const id = CHECKOUT_PATH.exec(path)?.[1]
  return id === undefined ? [] : [{ type: 'checkout_session', id, ...foundIn('path') }]
}

function findHttpSignature(headers: ReceivedRequest['headers']): SessionToken[] {
  const { signature, 'signature-input': signatureInput } = headers
  if (signature === undefined || signatureInput === undefined) return []
  return [{ type: 'http_signature', signature, signatureInput, ...foundIn('signature') }]
}

function foundIn(source: string) {
  return { source, isValidated: false } as const
}

/** A value is the text of a header, or text or a list of texts in metadata. */
function findInValue(source: string, value: unknown): SessionToken[] {
  const texts = (Array.isArray(value) ? value : [value]).filter((text) => typeof text === 'string')
  const [first] = texts
  if (first === undefined) return []
  const chain = texts.flatMap(splitTokens).filter((text) => SD_JWT.test(text))
  const tokens: SessionToken[] = []
  const found = foundIn(source)
  if (chain.length > 0) tokens.push({ type: 'sd_jwt', chain, ...found })
  if (Object.hasOwn(WEBHOOK_SIGNATURES, source) && WEBHOOK_SIGNATURES[source]?.test(first)) {
    tokens.push({ type: 'signed_webhook', signature: first, ...found })
  }
  if (CHECKOUT_NAME.test(source) && CHECKOUT_ID.test(first)) {
    tokens.push({ type: 'checkout_session', id: first, ...found })
  }
  return tokens
}

/** Also takes off a scheme, such as that of `Authorization: Bearer …`. */
function splitTokens(text: string): string[] {
  return text.includes('~') ? text.split(/[\s,;]+/) : []
}
