import type { MerkleNode, NodeAddress } from '@svc/core/audit/merkleTree.ts'
import type { TreeStore } from '../../store/audit/treeStore.ts'

export type ReadNodesDeps = {
  tree: Pick<TreeStore, 'nodes'>
  /** Resolves once everything recorded so far is in the feed. */
  catchUp: () => Promise<number>
}

/**
 * Reads the nodes of the tree at these addresses, all of them.
 *
 * A feed that is being rebuilt may lag behind the batches sealed from it, so missing nodes are waited for once.
 *
 * @throws ApiError SERVICE_UNAVAILABLE if the wait takes too long.
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
