import { apiError } from '../../errors.ts'
import type { Deployment } from '../../store/deploymentStore.ts'

export type DescribeChainDeps = {
  deployment: () => Promise<Deployment | null>
  /** Blocks after which a transaction counts as final. */
  confirmations: number
}

/** Where an auditor looks. Registries that are not deployed are null. */
export type ChainDescription = {
  chainId: number
  confirmations: number
  contracts: {
    identityRegistry: string
    reputationRegistry: string | null
    validationRegistry: string | null
    auditLog: string
  }
  logId: string
}

/**
 * The chain, the contracts and the log of this service.
 *
 * @throws ApiError CHAIN_UNAVAILABLE before the first deployment.
 * Source: api.md "Approvals, activity, audit".
 */
export async function describeChain(deps: DescribeChainDeps): Promise<ChainDescription> {
  const deployment = await deps.deployment()
  if (deployment === null) throw apiError('CHAIN_UNAVAILABLE')
  const { chainId, identityRegistry, auditLog, logId } = deployment
  return {
    chainId,
    confirmations: deps.confirmations,
    contracts: { identityRegistry, reputationRegistry: null, validationRegistry: null, auditLog },
    logId,
  }
}
