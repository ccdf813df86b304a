import { ACCESS_LEVELS, RECOMMENDATIONS } from '../access/decision.ts'
import { IDENTITY_PROOFS } from '../access/identityProof.ts'
import { isJsonObject } from '../json.ts'
import type { ReceiptClaims } from './receipt.ts'

type Check = (value: unknown) => boolean

const isText: Check = (value) => typeof value === 'string' && value.length > 0
const isWhole: Check = (value) => Number.isSafeInteger(value) && Number(value) >= 0
const isAmount: Check = (value) => typeof value === 'number' && value >= 0
const isOneOf =
  (values: readonly unknown[]): Check =>
  (value) =>
    values.includes(value)
const isOptional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value)

const CHECKS: Readonly<Record<keyof ReceiptClaims, Check>> = {
  iss: isText,
  sub: isText,
  aud: isText,
  jti: isText,
  recommendation: isOneOf(RECOMMENDATIONS),
  accessLevel: isOneOf(ACCESS_LEVELS),
  purpose: isOptional(isText),
  action: isOptional(isText),
  resource: isOptional(isText),
  value: isOptional(isAmount),
  currency: isOptional(isText),
  identityProof: isOneOf(IDENTITY_PROOFS),
  sessionId: isOptional(isText),
  iat: isWhole,
  exp: isWhole,
  cnf: isOptional((value) => isJsonObject(value) && isText(value.jkt)),
  status: isOptional((value) => isJsonObject(value) && isReference(value.status_list)),
}

const MEMBERS = Object.entries(CHECKS)

function isReference(value: unknown): boolean {
  return isJsonObject(value) && isWhole(value.idx) && isText(value.uri)
}

/**
 * Reads the payload of a receipt; null if it is not that of a receipt. Unknown members are ignored.
 *
 * Written without a schema library, because gateways at the edge run it for every request.
 */
export function readReceiptClaims(payload: Readonly<Record<string, unknown>>): ReceiptClaims | null {
  for (const [member, isValid] of MEMBERS) {
    if (!isValid(payload[member])) return null
  }
  return payload as ReceiptClaims
}
