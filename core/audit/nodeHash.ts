import { sha256 } from '../hash.ts'

/** Filled anew at each call: nothing else runs between filling and hashing. */
const prefixed = new Uint8Array(65)
prefixed[0] = 0x01

/**
 * The hash of an inner node of the log: SHA-256(0x01 ‖ left ‖ right), of two hashes of 32 bytes.
 *
 * Source: RFC 9162 §2.1.1.
 */
export function nodeHash(left: Uint8Array, right: Uint8Array): Uint8Array {
  if (left.length !== 32 || right.length !== 32) {
    throw new Error(`a node joins two hashes of 32 bytes, not ${left.length} and ${right.length}`)
  }
  prefixed.set(left, 1)
  prefixed.set(right, 33)
  return sha256(prefixed)
}
