import { sha256Hex } from '@svc/core/hash.ts'

/** 128 bits. */
const ID_DIGITS = 32

type Used = {
  /** The key id of the signer, a space, and the nonce, which is good once for that key. */
  key: string
  /** When the proof can no longer be presented, in epoch milliseconds. */
  expiresAt: number
}

/**
 * The identifier under which the use of a proof is stored: of a fixed length, whatever the signer chose, and in the order of
 * expiry, so that the table grows at one end.
 *
 * The same nonce with another expiry is therefore another use. Nobody gains by that: the signature covers the expiry, so
 * only the holder of the key can make one, who could choose another nonce as well. Without the expiry, each use would be
 * stored at a random position of the index of PostgreSQL, and change a page of its own. Payments, of which there are fewer
 * and whose end may be stated in several ways, are named without it.
 */
export function proofIdOf({ key, expiresAt }: Used): string {
  const seconds = Math.floor(expiresAt / 1000)
  return `${seconds.toString(16)}-${sha256Hex(key).slice(0, ID_DIGITS)}`
}

/**
 * The identifier under which a use is stored that an endpoint has only reported, without the signature: it uses the proof up
 * at that endpoint. Elsewhere, it would let a counterparty use up what it can predict or has seen. Null for an endpoint that
 * is not stored, which cannot report.
 *
 * A nonce has no spaces, so that none reads as another one with an endpoint.
 */
export function reportedProofIdOf({ key, expiresAt }: Used, endpointId: string | null): string | null {
  return endpointId === null ? null : proofIdOf({ key: `${key} at ${endpointId}`, expiresAt })
}
