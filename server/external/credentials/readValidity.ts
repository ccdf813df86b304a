import { CredentialFault } from './credentialFault.ts'

/**
 * Reads and checks the validity period of a token: `nbf` and `exp`, or the dates of a verifiable credential. If both are
 * present, the narrower period applies.
 *
 * @throws CredentialFault malformed for an invalid time, not_yet_valid, expired.
 * Source: RFC 7519 §4.1; VC Data Model 1.1 §4.6, 2.0 §4.9.
 */
export function readValidity(payload: Record<string, unknown>, now: number): Validity {
  const credential = toObject(payload.vc) ?? payload
  const begins = [
    parseSeconds(payload.nbf),
    parseDate(credential.validFrom),
    payload.nbf === undefined ? parseDate(credential.issuanceDate) : null,
  ]
  const ends = [
    parseSeconds(payload.exp),
    parseDate(credential.validUntil),
    parseDate(credential.expirationDate),
  ]
  const validity = { validFrom: pick(begins, Math.max), expiresAt: pick(ends, Math.min) }
  checkValidity(validity, now)
  return validity
}

function toObject(value: unknown): Record<string, unknown> | null {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null
}

function pick(times: readonly (number | null)[], choose: (...times: number[]) => number): number | null {
  const given = times.filter((time) => time !== null)
  return given.length === 0 ? null : choose(...given)
}

function parseSeconds(value: unknown): number | null {
  if (value === undefined) return null
  // Up to the year 9999.
  if (typeof value !== 'number' || !(value >= 0 && value < 253_402_300_800))
    throw new CredentialFault('malformed')
  return Math.floor(value * 1000)
}

function parseDate(value: unknown): number | null {
  if (value === undefined) return null
  const isDate =
    typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(value)
  const time = isDate ? Date.parse(value) : Number.NaN
  if (Number.isNaN(time)) throw new CredentialFault('malformed')
  return time
}

/** A validity period in epoch milliseconds; null means unlimited. */
export type Validity = { validFrom: number | null; expiresAt: number | null }

/** How far an issuer's clock may be ahead of ours. */
const SKEW_MS = 60_000

/** @throws CredentialFault not_yet_valid, expired. */
export function checkValidity({ validFrom, expiresAt }: Validity, now: number): void {
  if (validFrom !== null && validFrom > now + SKEW_MS) throw new CredentialFault('not_yet_valid')
  if (expiresAt !== null && expiresAt <= now) throw new CredentialFault('expired')
}
