import { sha256 } from '../hash.ts'

/**
 * Hashes an audit entry as a leaf of the log: SHA-256(0x00 ‖ entry).
 *
 * The prefix separates leaves from inner nodes, so that no node can be passed off as an entry. A string is hashed in UTF-8,
 * in which U+0000 is the prefix byte; that avoids a copy.
 *
 * Source: RFC 9162 §2.1.1; docs/auditing.md.
 */
export function hashLeaf(entry: Uint8Array | string): Uint8Array {
  if (typeof entry === 'string') return sha256(`\0${entry}`)
  const prefixed = new Uint8Array(entry.length + 1)
  prefixed.set(entry, 1)
  return sha256(prefixed)
}

/** A buffer that every call overwrites; the code between filling and hashing is synchronous. */
const prefixed = new Uint8Array(65)
prefixed[0] = 0x01

/**
 * Hashes an inner node of the log: SHA-256(0x01 ‖ left ‖ right), of two hashes of 32 bytes.
 *
 * Source: RFC 9162 §2.1.1.
 */
export function hashNode(left: Uint8Array, right: Uint8Array): Uint8Array {
  if (left.length !== 32 || right.length !== 32) {
    throw new Error(`a node joins two hashes of 32 bytes, not ${left.length} and ${right.length}`)
  }
  prefixed.set(left, 1)
  prefixed.set(right, 33)
  return sha256(prefixed)
}

/**
 * The root of the tree whose complete subtrees, from left to right, have these hashes.
 *
 * The peaks are joined from the right, the smaller subtrees first. Without peaks, it is the root of the empty log: the hash
 * of the empty string.
 *
 * Source: RFC 9162 §2.1.1.
 */
export function rootOfPeaks(peaks: readonly Uint8Array[]): Uint8Array {
  if (peaks.length === 0) return sha256('')
  return peaks.reduceRight((right, left) => hashNode(left, right))
}

/** Whether two hashes are equal. Not in constant time, because the hashes of a log are public. */
export function isSameHash(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i])
}
