import type { MerkleNode } from './merkleNode.ts'
import type { ProofPlan } from './proofPlan.ts'
import { rootOfPeaks } from './rootOfPeaks.ts'

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
