import type { MerkleNode, NodeAddress } from '@svc/core/audit/merkleTree.ts'
import type { Knex } from 'knex'

export type TreeStore = ReturnType<typeof createTreeStore>

/** Reads the Merkle tree that the projection grows. */
export function createTreeStore(query: Knex) {
  return {
    /** How many leaves the tree has. */
    async size(): Promise<number> {
      const row = await query('feed.projection_state').select('next_seq').where({ id: 1 }).first()
      return Number(row.next_seq)
    },

    /** The nodes that are there, of at most a few thousand, in one query and in any order. */
    async nodes(addresses: readonly NodeAddress[]): Promise<MerkleNode[]> {
      const byPosition = new Map(addresses.map((address) => [nodePositionOf(address), address]))
      const rows: { position: number; hash: Uint8Array }[] = await query('feed.tree_nodes')
        .select('position', 'hash')
        .whereIn('position', [...byPosition.keys()])
      return rows.flatMap(({ position, hash }) => {
        const address = byPosition.get(Number(position))
        return address === undefined ? [] : [{ ...address, hash }]
      })
    },
  }
}

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
