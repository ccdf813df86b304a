import { MAX_LENGTHS, MONEY_MAX, SESSION_SECONDS_MAX } from '../access/verificationLimits.ts'
import { isAgentIdentifier, isEndpointIdentifier } from '../ids/identifiers.ts'
import { isJsonObject } from '../json.ts'
import { POLICY_NAME } from '../pdlss/policyNamePattern.ts'
import { parseUrl } from '../url/url.ts'
import { readSha256Digest } from './contentDigest.ts'
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
const CURRENCY = /^[A-Za-z]{3,10}$/
const GUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const DECIMAL = /^\d{1,16}(?:\.\d{1,30})?$/

type Check = (value: unknown) => boolean

/** Builds the check of a text of at least one character. */
const text =
  (lengthMax: number, isValid: (value: string) => boolean = () => true): Check =>
  (value) =>
    typeof value === 'string' && value !== '' && value.length <= lengthMax && isValid(value)
/** Builds the check of an integer. */
const integer =
  (min: number, max: number): Check =>
  (value) =>
    Number.isInteger(value) && Number(value) >= min && Number(value) <= max
const time = integer(0, Number.MAX_SAFE_INTEGER)
const name = text(MAX_LENGTHS.name, (value) => POLICY_NAME.test(value))

const CHECKS: Readonly<Record<Claim, Check>> = {
  iss: text(MAX_LENGTHS.identifier, isAgentIdentifier),
  aud: text(MAX_LENGTHS.url, isAudience),
  iat: time,
  exp: time,
  jti: text(MAX_LENGTHS.name, isNonce),
  purpose: name,
  action: name,
  resource: text(MAX_LENGTHS.resource),
  amount: isAmount,
  currency: text(MAX_LENGTHS.identifier, (value) => CURRENCY.test(value)),
  sessionDuration: integer(1, SESSION_SECONDS_MAX),
  attemptId: text(MAX_LENGTHS.identifier, (value) => GUID.test(value)),
  bodyHash: text(MAX_LENGTHS.identifier, (value) => value === `sha-256=:${readSha256Digest(value)}:`),
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
  // Members of a prototype are not claims.
  const own: Record<string, unknown> = { ...payload }
  const names = Object.keys(CHECKS) as Claim[]
  const stated = names.filter((claim) => own[claim] !== undefined)
  const invalid = names.filter((claim) =>
    own[claim] === undefined ? REQUIRED.includes(claim) : !CHECKS[claim](own[claim]),
  )
  const claims = Object.fromEntries(stated.map((claim) => [claim, own[claim]])) as IntentClaims
  const { iat, exp } = claims
  const isTimely = exp > iat && exp - iat <= INTENT_SECONDS_MAX
  if (invalid.length === 0 && !isTimely) invalid.push('exp')
  return invalid.length === 0 ? { ok: true, claims } : { ok: false, invalid }
}

function isAudience(value: string): boolean {
  return isEndpointIdentifier(value) || (/^https?:/.test(value) && parseUrl(value)?.origin === value)
}

function isAmount(value: unknown): boolean {
  const isDecimal = typeof value === 'number' || (typeof value === 'string' && DECIMAL.test(value))
  return isDecimal && Number(value) >= 0 && Number(value) <= MONEY_MAX
}
