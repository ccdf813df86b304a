import { rootOfPeaks } from './merkleHash.ts'
import { checkTreeSize, type MerkleNode, type NodeAddress, subtreesOfRange } from './merkleTree.ts'

/**
 * The nodes of a proof: for each of its hashes, in order, the complete subtrees to join from right to left.
 *
 * `plan.flat()` lists the O(log n) rows to read. Every hash is that of a single node, except the one at the right edge of
 * the tree: that subtree is incomplete, and its hash is computed from several nodes.
 */
export type ProofPlan = readonly (readonly NodeAddress[])[]

/**
 * Plans the proof that leaf `index` is included in the log of `size` leaves; `assembleProof` computes its hashes.
 *
 * The size need not be the current one: the same stored nodes prove inclusion in every earlier log.
 *
 * @throws Error when the log of that size has no such leaf.
 *
 * Source: RFC 9162 §2.1.3.1, PATH(m, D_n).
 */
export function planInclusionProof(index: number, size: number): ProofPlan {
  checkTreeSize(index)
  checkTreeSize(size)
  if (index >= size) throw new Error(`a log of ${size} leaves has no leaf ${index}`)

  // The walk goes from the root down to the leaf, and the proof lists the siblings from the leaf up.
  const siblings: NodeAddress[][] = []
  let start = 0
  let end = size
  while (end - start > 1) {
    const middle = start + findLargestPowerOfTwoBelow(end - start)
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
 * Plans the proof that the log of `toSize` leaves extends the log of `fromSize` leaves.
 *
 * The plan is empty for equal sizes, which need no proof, and for the empty log, about which nothing can be proved.
 *
 * @throws Error when `fromSize` is larger.
 *
 * Source: RFC 9162 §2.1.4.1, PROOF(m, D_n).
 */
export function planConsistencyProof(fromSize: number, toSize: number): ProofPlan {
  checkTreeSize(fromSize)
  checkTreeSize(toSize)
  if (fromSize > toSize) throw new Error(`a log of ${toSize} leaves cannot extend one of ${fromSize}`)
  if (fromSize === 0 || fromSize === toSize) return []

  // The walk goes from the root down to where the old log ends, and the proof lists the hashes from there up.
  const hashes: NodeAddress[][] = []
  let start = 0
  let end = toSize
  while (end !== fromSize) {
    const middle = start + findLargestPowerOfTwoBelow(end - start)
    if (fromSize <= middle) {
      hashes.unshift(subtreesOfRange(middle, end))
      end = middle
    } else {
      hashes.unshift(subtreesOfRange(start, middle))
      start = middle
    }
  }
  // If the old log is one complete subtree, its hash is the old root, which the verifier has.
  if (start > 0) hashes.unshift(subtreesOfRange(start, end))
  return hashes
}

/**
 * The largest power of two below `size`, at which a tree of at least two leaves is split.
 *
 * Source: RFC 9162 §2.1.1, where it is called k.
 */
function findLargestPowerOfTwoBelow(size: number): number {
  let power = 1
  while (power * 2 < size) power *= 2
  return power
}

/**
 * Computes the hashes of a proof from a plan and its nodes, which may come in any order.
 *
 * @throws Error when a node of the plan is missing, which cannot happen for a stored log.
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
