import { checkTreeSize } from './checkTreeSize.ts'
import type { NodeAddress } from './merkleNode.ts'
import { subtreesOfRange } from './subtreesOfRange.ts'

/**
 * The complete subtrees that make up a log of `size` leaves, from left to right, the largest first.
 *
 * Their hashes are the `peaks` that `appendLeaves` continues from and `rootOfPeaks` joins: what a worker reads
 * after a restart.
 *
 * Source: RFC 9162 §2.1.1.
 */
export function peakAddresses(size: number): NodeAddress[] {
  checkTreeSize(size)
  return subtreesOfRange(0, size)
}
