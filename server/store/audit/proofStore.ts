import type { MerkleNode, NodeAddress } from '@svc/core/audit/merkleTree.ts'
import type { RememberedDeployment } from '../relayer/deploymentStore.ts'
import type { AnchoredBatch } from './batchStore.ts'

/** All that a proof reads; its members are parts of the stores that have their names. */
export type ProofStore = {
  records: { byRecordId(recordId: string): Promise<{ seq: number; entry: string } | null> }
  batches: { lastConfirmed(): Promise<AnchoredBatch | null> }
  tree: { nodes(addresses: readonly NodeAddress[]): Promise<MerkleNode[]> }
  deployment(): Promise<Pick<RememberedDeployment, 'chainId' | 'auditLog' | 'logId'> | null>
  close(): void
}
