import type { MerkleNode, NodeAddress } from '@svc/core/audit/merkleTree.ts'
import type { RememberedDeployment } from '../relayer/deploymentStore.ts'
import type { AnchoredBatch } from './batchStore.ts'
import type { LogPlace } from './logStore.ts'

/** A record, as far as its proof needs it. */
export type ProvedRecord = LogPlace & { entry: string }

/** What the proofs of a log read; each member is a part of the store with its name. */
type LogProofStore = {
  batches: { lastConfirmed(): Promise<AnchoredBatch | null> }
  tree: { nodes(addresses: readonly NodeAddress[]): Promise<MerkleNode[]> }
  /** Where the log is; null before the first deployment, and for an unknown log. */
  deployment(): Promise<Pick<RememberedDeployment, 'chainId' | 'auditLog' | 'logId'> | null>
}

/** Everything that proofs read. */
export type ProofStore = {
  records: { byRecordId(recordId: string): Promise<ProvedRecord | null> }
  log(number: number): LogProofStore
  close(): void
}
