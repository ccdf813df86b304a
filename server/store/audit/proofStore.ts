import type { MerkleNode, NodeAddress } from '@svc/core/audit/merkleTree.ts'
import type { RememberedDeployment } from '../relayer/deploymentStore.ts'
import type { AnchoredBatch } from './batchStore.ts'

/** Everything a proof reads; each member is a part of the store with its name. */
export type ProofStore = {
  records: { byRecordId(recordId: string): Promise<{ seq: number; entry: string } | null> }
  batches: { lastConfirmed(): Promise<AnchoredBatch | null> }
  tree: { nodes(addresses: readonly NodeAddress[]): Promise<MerkleNode[]> }
  deployment(): Promise<Pick<RememberedDeployment, 'chainId' | 'auditLog' | 'logId'> | null>
  close(): void
}
