import type { MerkleNode, NodeAddress } from '@svc/core/audit/merkleTree.ts'
import type { Knex } from 'knex'
import { nodePositionOf } from './nodePosition.ts'

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
