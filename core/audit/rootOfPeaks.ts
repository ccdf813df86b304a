import { sha256 } from '../hash.ts'
import { nodeHash } from './nodeHash.ts'

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
  return peaks.reduceRight((right, left) => nodeHash(left, right))
}
