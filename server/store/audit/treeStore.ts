import type { MerkleNode, NodeAddress } from '@svc/core/audit/merkleTree.ts'
import type { Knex } from 'knex'

export type TreeStore = ReturnType<typeof createTreeStore>

/** Reads the Merkle tree that the projection maintains. */
export function createTreeStore(query: Knex) {
  return {
    /** Counts the leaves of the tree. */
    async size(): Promise<number> {
      const row = await query('feed.projection_state').select('next_seq').where({ id: 1 }).first()
      return Number(row.next_seq)
    },

    /** Reads those of a few thousand nodes that exist, in one query and in any order. */
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
 * Returns the position of a Merkle tree node in the order in which nodes are completed.
 *
 * A log of n leaves has 2n − (one bits of n) complete subtrees, and the nodes of a subtree are consecutive, with its root
 * last. Nodes are therefore only ever appended to their table, and each is found without an index. Exact below 2^52 leaves.
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
