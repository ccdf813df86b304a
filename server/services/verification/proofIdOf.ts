import { sha256Hex } from '@svc/core/hash.ts'

/** 128 bits. */
const ID_DIGITS = 32

/**
 * The identifier under which the use of a proof is stored: of a fixed length, whatever the signer chose, and in the order of
 * expiry, so that the table grows at one end.
 *
 * The same nonce with another expiry is therefore another use. Nobody gains by that: the signature covers the expiry, so
 * only the holder of the key can make one, who could choose another nonce as well. Without the expiry, each use would be
 * stored at a random position of the index of PostgreSQL, and change a page of its own.
 *
 * @param use `key` is the key id of the signer, a space, and the nonce, which is good once for that key; `expiresAt` is when
 *   the proof can no longer be presented, in epoch milliseconds.
 */
export function proofIdOf({ key, expiresAt }: { key: string; expiresAt: number }): string {
  const seconds = Math.floor(expiresAt / 1000)
  return `${seconds.toString(16)}-${sha256Hex(key).slice(0, ID_DIGITS)}`
}
