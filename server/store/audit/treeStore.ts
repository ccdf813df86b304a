import type { MerkleNode, NodeAddress } from '@svc/core/audit/merkleTree.ts'
import type { Knex } from 'knex'
import { readTreeSize } from './logStore.ts'

export type TreeStore = ReturnType<typeof createTreeStore>

/** Reads the Merkle tree of a log, which the projection maintains. */
export function createTreeStore(query: Knex, log = 0) {
  return {
    /** Counts the leaves of the tree. */
    size: (): Promise<number> => readTreeSize(query, log),

    /** Reads those of a few thousand nodes that exist, in one query and in any order. */
    async nodes(addresses: readonly NodeAddress[]): Promise<MerkleNode[]> {
      const byPosition = new Map(addresses.map((address) => [nodePositionOf(address, log), address]))
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

/** Positions of each log, so that the greatest position of `LOGS_MAX` logs is an exact number. */
const POSITIONS_OF_LOG = 2 ** 47

/**
 * Returns the position of a Merkle tree node in the order in which nodes are completed; each log has its own range.
 *
 * A log of n leaves has 2n − (one bits of n) complete subtrees, and the nodes of a subtree are consecutive, with its root
 * last. Nodes are therefore only ever appended to the range, and each is found without an index. Exact below 2^46 leaves.
 */
export function nodePositionOf({ level, index }: NodeAddress, log = 0): number {
  const leavesBefore = index * 2 ** level
  return log * POSITIONS_OF_LOG + 2 * leavesBefore - onesOf(index) + 2 ** (level + 1) - 2
}

function onesOf(value: number): number {
  let ones = 0
  for (let rest = value; rest > 0; rest = Math.floor(rest / 2)) ones += rest % 2
  return ones
}
