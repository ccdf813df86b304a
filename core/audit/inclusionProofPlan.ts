import { checkTreeSize } from './checkTreeSize.ts'
import { largestPowerOfTwoBelow } from './largestPowerOfTwoBelow.ts'
import type { NodeAddress } from './merkleNode.ts'
import type { ProofPlan } from './proofPlan.ts'
import { subtreesOfRange } from './subtreesOfRange.ts'

/**
 * Which nodes prove that leaf `index` is in the log of `size` leaves; `assembleProof` makes the hashes of them.
 *
 * The size need not be the present one: any log that was ever anchored can be proved from the same nodes.
 *
 * @throws Error when the log of that size has no such leaf.
 *
 * Source: RFC 9162 §2.1.3.1, PATH(m, D_n).
 */
export function inclusionProofPlan(index: number, size: number): ProofPlan {
  checkTreeSize(index)
  checkTreeSize(size)
  if (index >= size) throw new Error(`a log of ${size} leaves has no leaf ${index}`)

  // From the root down to the leaf; the proof wants the siblings from the leaf up.
  const siblings: NodeAddress[][] = []
  let start = 0
  let end = size
  while (end - start > 1) {
    const middle = start + largestPowerOfTwoBelow(end - start)
    if (index < middle) {
      siblings.unshift(subtreesOfRange(middle, end))
      end = middle
    } else {
      siblings.unshift(subtreesOfRange(start, middle))
      start = middle
    }
  }
  return siblings
}
