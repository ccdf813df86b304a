import type { ResultOf } from '@svc/core/contract/operations.ts'
import { apiError } from '../../errors.ts'
import type { LogStore } from '../../store/audit/logStore.ts'
import type { DeploymentStore } from '../../store/relayer/deploymentStore.ts'

export type ChainOverviewDeps = {
  deployments: Pick<DeploymentStore, 'remembered'>
  logs: Pick<LogStore, 'ids'>
  /** Blocks after which a transaction counts as final. */
  confirmations: number
  /** URL of a node that anyone may use; null if the operator publishes none. */
  publicRpcUrl: string | null
}

export type ChainOverview = ResultOf<'GET /api/chain'>

/**
 * Returns the contracts for auditors and signing clients.
 *
 * @throws `CHAIN_UNAVAILABLE` while they are not deployed.
 */
export async function readChainOverview(deps: ChainOverviewDeps): Promise<ChainOverview> {
  const deployment = await deps.deployments.remembered()
  if (deployment === null) throw apiError('CHAIN_UNAVAILABLE', { headers: { 'Retry-After': '5' } })
  const { chainId, identityRegistry, auditLog, reputationRegistry, validationRegistry, logId } = deployment
  return {
    chainId,
    confirmations: deps.confirmations,
    contracts: { identityRegistry, auditLog, reputationRegistry, validationRegistry },
    logId,
    logIds: [logId, ...(await deps.logs.ids()).map((log) => log.logId)],
    publicRpcUrl: deps.publicRpcUrl,
  }
}
