import { checkTreeSize } from './checkTreeSize.ts'
import { largestPowerOfTwoBelow } from './largestPowerOfTwoBelow.ts'
import type { NodeAddress } from './merkleNode.ts'
import type { ProofPlan } from './proofPlan.ts'
import { subtreesOfRange } from './subtreesOfRange.ts'

/**
 * Which nodes prove that the log of `fromSize` leaves is the beginning of the one of `toSize`.
 *
 * Two equal sizes need no proof, and nothing can be proved about the empty log: both plans are empty.
 *
 * @throws Error when `fromSize` is the greater.
 *
 * Source: RFC 9162 §2.1.4.1, PROOF(m, D_n).
 */
export function consistencyProofPlan(fromSize: number, toSize: number): ProofPlan {
  checkTreeSize(fromSize)
  checkTreeSize(toSize)
  if (fromSize > toSize) throw new Error(`a log of ${toSize} leaves cannot extend one of ${fromSize}`)
  if (fromSize === 0 || fromSize === toSize) return []

  // From the root down to where the old log ends; the proof wants the hashes from there up.
  const hashes: NodeAddress[][] = []
  let start = 0
  let end = toSize
  while (end !== fromSize) {
    const middle = start + largestPowerOfTwoBelow(end - start)
    if (fromSize <= middle) {
      hashes.unshift(subtreesOfRange(middle, end))
      end = middle
    } else {
      hashes.unshift(subtreesOfRange(start, middle))
      start = middle
    }
  }
  // An old log that is one complete subtree is known to the verifier already: it is the old root itself.
  if (start > 0) hashes.unshift(subtreesOfRange(start, end))
  return hashes
}
