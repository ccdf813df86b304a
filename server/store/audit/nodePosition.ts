import type { NodeAddress } from '@svc/core/audit/merkleTree.ts'

/**
 * Where a node of the Merkle tree is stored: its place in the order in which nodes become complete.
 *
 * A log of n leaves has 2n − (one bits of n) complete subtrees, and a subtree's own come one after another with
 * its root last. So nodes are only ever written at the end of their table, and any of them is found without a
 * look-up. Exact below 2^52 leaves.
 */
export function nodePositionOf({ level, index }: NodeAddress): number {
  const leavesBefore = index * 2 ** level
  return 2 * leavesBefore - onesOf(index) + 2 ** (level + 1) - 2
}

function onesOf(value: number): number {
  let ones = 0
  for (let rest = value; rest > 0; rest = Math.floor(rest / 2)) ones += rest % 2
  return ones
}
