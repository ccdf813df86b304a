import type { AnchoredBatch } from '../../store/audit/batchStore.ts'
import type { RememberedDeployment } from '../../store/relayer/deploymentStore.ts'

type Place = Pick<RememberedDeployment, 'chainId' | 'auditLog' | 'logId'>

export type NewestAnchorDeps = {
  batches: { lastConfirmed(): Promise<AnchoredBatch | null> }
  deployment: () => Promise<Place | null>
}

/** What a proof is made against: a batch that is final, and the contract that holds it. */
export type Anchor = { batch: AnchoredBatch; deployment: Place }

/**
 * The newest anchor; null while no batch is final.
 *
 * Proofs are made against the newest, because it is what the contract's head most likely still is, so that the
 * contract itself can be asked. An older document stays true: the contract only takes heads that extend it.
 */
export async function newestAnchor({ batches, deployment }: NewestAnchorDeps): Promise<Anchor | null> {
  const batch = await batches.lastConfirmed()
  const deployed = batch === null ? null : await deployment()
  return batch === null || deployed === null ? null : { batch, deployment: deployed }
}
