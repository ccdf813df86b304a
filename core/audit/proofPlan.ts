import type { NodeAddress } from './merkleNode.ts'

/**
 * What a proof is made of: for each of its hashes, in order, the complete subtrees to join from right to left.
 *
 * `plan.flat()` is what has to be read, O(log n) rows. All hashes but one come from one node; the one at the right
 * edge of the tree, where a subtree is incomplete, comes from several.
 */
export type ProofPlan = readonly (readonly NodeAddress[])[]
