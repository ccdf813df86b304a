import { rootOfPeaks } from './merkleHash.ts'
import { checkTreeSize, type MerkleNode, type NodeAddress, subtreesOfRange } from './merkleTree.ts'

/**
 * What a proof is made of: for each of its hashes, in order, the complete subtrees to join from right to left.
 *
 * `plan.flat()` is what has to be read, O(log n) rows. All hashes but one come from one node; the one at the right
 * edge of the tree, where a subtree is incomplete, comes from several.
 */
export type ProofPlan = readonly (readonly NodeAddress[])[]

/**
 * Which nodes prove that leaf `index` is in the log of `size` leaves; `assembleProof` makes the hashes of them.
 *
 * The size need not be the present one: any log that was ever anchored can be proved from the same nodes.
 *
 * @throws Error when the log of that size has no such leaf.
 *
 * Source: RFC 9162 §2.1.3.1, PATH(m, D_n).
 */
export function planInclusionProof(index: number, size: number): ProofPlan {
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

/**
 * Which nodes prove that the log of `fromSize` leaves is the beginning of the one of `toSize`.
 *
 * Two equal sizes need no proof, and nothing can be proved about the empty log: both plans are empty.
 *
 * @throws Error when `fromSize` is the greater.
 *
 * Source: RFC 9162 §2.1.4.1, PROOF(m, D_n).
 */
export function planConsistencyProof(fromSize: number, toSize: number): ProofPlan {
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

/**
 * The largest power of two that is smaller than `size`, where a tree of that many leaves (at least 2) is split.
 *
 * Source: RFC 9162 §2.1.1, there called k.
 */
function largestPowerOfTwoBelow(size: number): number {
  let power = 1
  while (power * 2 < size) power *= 2
  return power
}

/**
 * The hashes of a proof, of 32 bytes each, out of a plan and the nodes read for it, in any order.
 *
 * @throws Error when a node of the plan is missing: a log that is in the store has all of them.
 *
 * Source: RFC 9162 §2.1.3.1 and §2.1.4.1.
 */
export function assembleProof(plan: ProofPlan, nodes: Iterable<MerkleNode>): Uint8Array[] {
  const hashes = new Map<string, Uint8Array>()
  for (const { level, index, hash } of nodes) hashes.set(`${level}/${index}`, hash)
  return plan.map((subtrees) =>
    rootOfPeaks(
      subtrees.map(({ level, index }) => {
        const hash = hashes.get(`${level}/${index}`)
        if (hash === undefined) throw new Error(`node ${index} of level ${level} was not read`)
        return hash
      }),
    ),
  )
}
