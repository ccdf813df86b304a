import type { MerkleNode, NodeAddress } from '@svc/core/audit/merkleTree.ts'
import type { TreeStore } from '../../store/audit/treeStore.ts'

export type ReadNodesDeps = {
  tree: Pick<TreeStore, 'nodes'>
  /** Resolves when everything recorded so far is in the feed. */
  catchUp: () => Promise<number>
}

/**
 * The nodes of the tree at these addresses, all of them.
 *
 * A feed that is just built anew can be behind the batches that were sealed from it, so what is missing is waited for
 * once.
 *
 * @throws ApiError SERVICE_UNAVAILABLE when the wait takes too long.
 */
export async function readNodes(
  deps: ReadNodesDeps,
  addresses: readonly NodeAddress[],
): Promise<MerkleNode[]> {
  const nodes = await deps.tree.nodes(addresses)
  if (nodes.length === addresses.length) return nodes
  await deps.catchUp()
  return deps.tree.nodes(addresses)
}
