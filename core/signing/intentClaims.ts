import { MAX_LENGTHS, MONEY_MAX, SESSION_SECONDS_MAX } from '../access/verificationLimits.ts'
import { isAgentIdentifier, isEndpointIdentifier } from '../ids/identifiers.ts'
import { isJsonObject } from '../json.ts'
import { POLICY_NAME } from '../pdlss/policyNamePattern.ts'
import { parseUrl } from '../url/url.ts'
import { parseContentDigest, readSha256Digest } from './contentDigest.ts'
import { isNonce } from './signatureProfile.ts'

/** The media type of an intent proof, in its header. */
export const INTENT_TYPE = 'svc-intent+jwt'

/** The longest time from `iat` to `exp`. */
export const INTENT_SECONDS_MAX = 60

/** The facts that an agent can commit to. */
export const INTENT_FACTS = [
  'purpose',
  'action',
  'resource',
  'amount',
  'currency',
  'sessionDuration',
  'attemptId',
  'bodyHash',
] as const

export type IntentFact = (typeof INTENT_FACTS)[number]

/** What an agent commits to in an intent proof. Times are Unix seconds. */
export type IntentClaims = {
  /** The agent, `SVC-…`. */
  iss: string
  /** The endpoint, `SVCE-…`, or its origin, such as `https://shop.example`. */
  aud: string
  iat: number
  exp: number
  /** Good once. */
  jti: string
  /** `category`, `category:action` or `category.action`. */
  purpose?: string | undefined
  action?: string | undefined
  resource?: string | undefined
  /** Of the transaction; as a text, an amount that a double cannot hold. */
  amount?: number | string | undefined
  currency?: string | undefined
  /** Seconds. */
  sessionDuration?: number | undefined
  /** UUID. */
  attemptId?: string | undefined
  /** `sha-256=:…:`, as in `Content-Digest`. */
  bodyHash?: string | undefined
}

type Claim = keyof IntentClaims

const REQUIRED: readonly Claim[] = ['iss', 'aud', 'iat', 'exp', 'jti']
const GUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const DECIMAL = /^\d{1,16}(?:\.\d{1,30})?$/

const CHECKS: Readonly<Record<Claim, (value: unknown) => boolean>> = {
  iss: (value) => isText(value) && isAgentIdentifier(value),
  aud: isAudience,
  iat: isTime,
  exp: isTime,
  jti: (value) => isText(value) && isNonce(value),
  purpose: isName,
  action: isName,
  resource: (value) => isText(value) && value !== '' && value.length <= MAX_LENGTHS.resource,
  amount: isAmount,
  currency: (value) => isText(value) && /^[A-Za-z]{3,10}$/.test(value),
  sessionDuration: (value) =>
    Number.isInteger(value) && Number(value) >= 1 && Number(value) <= SESSION_SECONDS_MAX,
  attemptId: (value) => isText(value) && GUID.test(value),
  bodyHash: (value) =>
    isText(value) && readSha256Digest(value) !== undefined && parseContentDigest(value)?.size === 1,
}

/**
 * Parses the claims of an intent proof, or names those that are invalid.
 *
 * The lifetime is checked, but not against a clock. Claims of other names are left out.
 *
 * Source: RFC 7519 §4.
 */
export function parseIntentClaims(
  payload: unknown,
): { ok: true; claims: IntentClaims } | { ok: false; invalid: readonly string[] } {
  if (!isJsonObject(payload)) return { ok: false, invalid: [...REQUIRED] }
  const names = Object.keys(CHECKS) as Claim[]
  const stated = names.filter((name) => Object.hasOwn(payload, name) && payload[name] !== undefined)
  const invalid = names.filter((name) =>
    stated.includes(name) ? !CHECKS[name](payload[name]) : REQUIRED.includes(name),
  )
  if (invalid.length > 0) return { ok: false, invalid }
  const claims = Object.fromEntries(stated.map((name) => [name, payload[name]])) as IntentClaims
  const { iat, exp } = claims
  return exp > iat && exp - iat <= INTENT_SECONDS_MAX ? { ok: true, claims } : { ok: false, invalid: ['exp'] }
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function isTime(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0
}

function isName(value: unknown): boolean {
  return isText(value) && value.length <= MAX_LENGTHS.name && POLICY_NAME.test(value)
}

function isAudience(value: unknown): boolean {
  if (!isText(value) || value.length > MAX_LENGTHS.url) return false
  return isEndpointIdentifier(value) || (/^https?:/.test(value) && parseUrl(value)?.origin === value)
}

function isAmount(value: unknown): boolean {
  if (typeof value === 'number') return value >= 0 && value <= MONEY_MAX
  return isText(value) && DECIMAL.test(value) && Number(value) <= MONEY_MAX
}
