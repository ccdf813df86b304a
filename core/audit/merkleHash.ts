import { sha256 } from '../hash.ts'

/**
 * The hash of one audit entry as a leaf of the log: SHA-256(0x00 ‖ entry).
 *
 * The prefix keeps leaves and inner nodes apart, so that no node can be passed off as an entry. A string stands
 * for its UTF-8 bytes; U+0000 in front of it is that prefix byte, which saves a copy on the way to the hash.
 *
 * Source: RFC 9162 §2.1.1; onchain.md "The audit log".
 */
export function hashLeaf(entry: Uint8Array | string): Uint8Array {
  if (typeof entry === 'string') return sha256(`\0${entry}`)
  const prefixed = new Uint8Array(entry.length + 1)
  prefixed.set(entry, 1)
  return sha256(prefixed)
}

/** Filled anew at each call: nothing else runs between filling and hashing. */
const prefixed = new Uint8Array(65)
prefixed[0] = 0x01

/**
 * The hash of an inner node of the log: SHA-256(0x01 ‖ left ‖ right), of two hashes of 32 bytes.
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
 * The peaks are joined from the right: the smaller subtrees first. Without peaks it is the root of the empty
 * log, the hash of nothing.
 *
 * Source: RFC 9162 §2.1.1.
 */
export function rootOfPeaks(peaks: readonly Uint8Array[]): Uint8Array {
  if (peaks.length === 0) return sha256('')
  return peaks.reduceRight((right, left) => hashNode(left, right))
}

/** Whether two hashes are equal, byte for byte; hashes in a log are public, so the time it takes tells nothing. */
export function isSameHash(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i])
}
