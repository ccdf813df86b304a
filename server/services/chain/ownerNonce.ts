import type { ChainClient } from '../../chain/chainClient.ts'
import type { Hex } from '../../chain/chainTypes.ts'
import { apiError } from '../../errors.ts'
import type { DeploymentStore } from '../../store/deploymentStore.ts'

export type OwnerNonceDeps = {
  chain: Pick<ChainClient, 'identity'>
  deployments: Pick<DeploymentStore, 'remembered'>
}

/**
 * The nonce an owner's next signed registration has to cover, so that a client without a node of its own can sign.
 *
 * @throws `CHAIN_UNAVAILABLE` when the chain does not answer. Source: onchain.md "Additions" (`registerFor`).
 */
export async function ownerNonce(deps: OwnerNonceDeps, input: { owner: Hex }): Promise<bigint> {
  const deployment = await deps.deployments.remembered()
  if (deployment === null) throw apiError('CHAIN_UNAVAILABLE', { headers: { 'Retry-After': '5' } })
  return await deps.chain.identity.nonceOf(deployment.identityRegistry, input.owner)
}
