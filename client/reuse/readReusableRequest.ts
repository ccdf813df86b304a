import { encodeBase64 } from '@svc/core/bytes.ts'
import type { ReportedUse } from '@svc/core/contract/uses.ts'
import { SIGNATURE_BASE_MAX } from '@svc/core/receipt/receipt.ts'
import { type PlainSignature, parsePlainSignature } from '@svc/core/signing/parsePlainSignature.ts'
import { buildSignatureBase } from '@svc/core/signing/signatureBase.ts'
import {
  findUncoveredComponents,
  isNonce,
  SIGNATURE_SECONDS_MAX,
  SIGNATURE_TAGS,
} from '@svc/core/signing/signatureProfile.ts'
import { parseUrl } from '@svc/core/url/url.ts'
import type { VerificationFields } from '../gateway/verificationFields.ts'
import type { VerifyingKey } from '../signatures/importVerifyingKey.ts'

/** A signed request that may be answered with an earlier grant, if there is one that covers it. */
export type ReusableRequest = {
  /**
   * Requests with the same key may share a grant: same signer, method, URL and facts, whatever their query and value are.
   */
  key: string
  agentId: string
  keyid: string
  nonce: string
  /** Key and nonce. It holds no part of the request in memory, as texts that are cut out of a header do. */
  signatureId: string
  /** Unix seconds. */
  created: number
  expires: number
  /** What it takes of a grant; undefined if the request states no value. */
  value: number | undefined
  isSignedBy(key: VerifyingKey): ReturnType<VerifyingKey['verifies']>
  /** What shows the service that it was signed; undefined for a text that is too long for a report. */
  signed(): ReportedUse['request']
}

/** The signatures of Ethereum accounts, which name an address instead, need a chain to be verified. Source: RFC 7638 §3. */
const THUMBPRINT = /^[\w-]{43}$/
const SKEW_SECONDS = 60
const TAGS: ReadonlySet<unknown> = new Set(SIGNATURE_TAGS)
/** What is presented beside a signature, or asked for, is for the service to judge. */
const DECIDED_BY_SERVICE = [
  'attemptId',
  'intentProof',
  'agentToken',
  'mandate',
  'subAgent',
  'credentials',
  'dryRun',
  'enableRuntimeChallenge',
] as const satisfies readonly (keyof VerificationFields)[]

/** Headers that carry a payment, which the service checks each time. */
const PAYMENT_HEADERS = ['payment-signature', 'x-payment']

/**
 * Reads a request that may be answered with an earlier grant; undefined for any other, which is the service's to decide.
 *
 * The signature must be in the usual spelling, and cover what our own signatures cover: also the query, which the service
 * does not demand.
 *
 * @param value What the request takes of a grant.
 * @param now Epoch milliseconds.
 * Source: RFC 9421 §3.2; docs/agents.md.
 */
export function readReusableRequest(
  fields: VerificationFields,
  value: number | undefined,
  now: number,
): ReusableRequest | undefined {
  const { callerMetadata = NO_METADATA, agentId } = fields
  const { signature, signatureInput = '', targetUri, method } = callerMetadata
  if (signature === undefined || targetUri === undefined || agentId === undefined) return undefined
  if (value !== undefined && !(value >= 0 && value < Infinity)) return undefined
  if (PAYMENT_HEADERS.some((name) => callerMetadata[name] !== undefined)) return undefined
  if (DECIDED_BY_SERVICE.some((name) => fields[name] !== undefined)) return undefined
  const parsed = parsePlainSignature(signature, signatureInput)
  if (parsed?.nonce === undefined || !isNonce(parsed.nonce) || !THUMBPRINT.test(parsed.keyid))
    return undefined
  if (!isUsual(parsed, callerMetadata, now)) return undefined
  const text = buildBase(parsed, callerMetadata, agentId)
  if (text === undefined) return undefined
  const { keyid, created, expires, nonce } = parsed
  const queryAt = targetUri.indexOf('?')
  const url = queryAt === -1 ? targetUri : targetUri.slice(0, queryAt)
  const stated = {
    ...fields,
    callerMetadata: undefined,
    transactionValue: undefined,
    callHash: undefined,
    includeReceipt: undefined,
  }
  return {
    key: JSON.stringify([stated, value === undefined, method, url, keyid]),
    agentId,
    keyid,
    nonce,
    signatureId: JSON.stringify([keyid, nonce]),
    created,
    expires,
    value,
    isSignedBy: (key) => key.verifies(text, parsed.signature, parsed.alg),
    signed: () =>
      isTooLong(text) ? undefined : { signatureBase: text, signature: encodeBase64(parsed.signature) },
  }
}

const encoder = new TextEncoder()

/** Measured as the report contains it: the agent chooses what it covers, and escaped characters take several bytes. */
function isTooLong(text: string): boolean {
  return text.length > SIGNATURE_BASE_MAX || encoder.encode(JSON.stringify(text)).length > SIGNATURE_BASE_MAX
}

type Metadata = NonNullable<VerificationFields['callerMetadata']>

const NO_METADATA: Metadata = {}

function isUsual(
  { components, created, expires, tag }: PlainSignature,
  { targetUri = '', contentDigest, signatureAgent }: Metadata,
  now: number,
): boolean {
  const seconds = now / 1000
  const isTimely = created <= seconds + SKEW_SECONDS && expires > seconds && expires > created
  if (!isTimely || expires - created > SIGNATURE_SECONDS_MAX || !TAGS.has(tag)) return false
  const parts = {
    hasQuery: targetUri.includes('?'),
    hasBody: contentDigest !== undefined,
    hasSignatureAgent: signatureAgent !== undefined,
  }
  return findUncoveredComponents(components, parts).length === 0
}

/** Headers that are handed over under names of their own. */
const NAMES: Readonly<Record<string, string>> = {
  'user-agent': 'userAgent',
  'signature-agent': 'signatureAgent',
  'content-digest': 'contentDigest',
}

/** Undefined if a covered component is not at hand, or the request names another agent than the one that is asked about. */
function buildBase(
  { components, params }: PlainSignature,
  metadata: Metadata,
  agentId: string,
): string | undefined {
  const { method, targetUri = '' } = metadata
  if ((metadata['x-svc-id'] ?? agentId) !== agentId) return undefined
  const headers: Record<string, string | undefined> = {}
  for (const component of components) {
    const name = Object.hasOwn(NAMES, component) ? (NAMES[component] ?? '') : component
    if (Object.hasOwn(metadata, name)) headers[component] = metadata[name]
  }
  headers['x-svc-id'] = agentId
  try {
    const names = components.map((name) => ({ name }))
    const authority = readAuthority(targetUri)
    return buildSignatureBase(names, params, { method, authority, targetUri, headers })
  } catch {
    return undefined
  }
}

const ORIGIN = /^https?:\/\/[^/?#]+/
const lastRead: { origin: string | undefined; authority: string | undefined } = {
  origin: undefined,
  authority: undefined,
}

/** Remembers the last one, because a gateway has few of them and parsing a URL takes longer than the rest. */
function readAuthority(targetUri: string): string | undefined {
  const origin = ORIGIN.exec(targetUri)?.[0]
  if (origin === undefined || origin !== lastRead.origin) {
    Object.assign(lastRead, { origin, authority: parseUrl(targetUri)?.host })
  }
  return lastRead.authority
}
