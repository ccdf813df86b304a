import type { ChainClient } from '../../chain/chainClient.ts'
import type { Hex } from '../../chain/chainTypes.ts'
import type { TokenChanges } from '../../chain/identityTokens.ts'
import type { ChainTokens, TokenName } from '../../services/agents/token/chainTokens.ts'
import type { DeploymentStore } from '../../store/relayer/deploymentStore.ts'

export type ChainTokensDeps = {
  chain: Pick<ChainClient, 'identity' | 'readHead' | 'relayerAddress' | 'relayers'>
  deployments: Pick<DeploymentStore, 'remembered'>
  /** Number of blocks after which a transaction is final. */
  confirmations: number
}

/** Reads tokens of the service’s registry at the newest final block. */
export function createChainTokens({ chain, deployments, confirmations }: ChainTokensDeps) {
  const { identity, relayerAddress: relayer, relayers } = chain
  const finalBlock = async () => Math.max(0, (await chain.readHead()).number - confirmations + 1)
  /** Null for a token of another registry than the current one. */
  const registryOf = async ({ agentRegistry }: TokenName): Promise<Hex | null> => {
    const deployment = await deployments.remembered()
    if (deployment === null) return null
    const { chainId, identityRegistry } = deployment
    return agentRegistry === `eip155:${chainId}:${identityRegistry}` ? identityRegistry : null
  }
  return {
    relayer,
    relayers,
    async read(name) {
      const registry = await registryOf(name)
      if (registry === null) return null
      const block = await finalBlock()
      const token = await identity.readToken(registry, BigInt(name.agentId), block)
      return token && { ...token, block }
    },
    async mayAct(name) {
      const registry = await registryOf(name)
      if (registry === null) return false
      const may = relayers.map((account) => identity.isAuthorized(registry, account, BigInt(name.agentId)))
      return (await Promise.all(may)).includes(true)
    },
    encodeSetUri: identity.encodeSetUri,
    encodeApprove: identity.encodeApprove,
    finalBlock,
    changesIn: (registry: Hex, blocks: { first: number; last: number }): Promise<TokenChanges> =>
      identity.readChanges(registry, relayer, blocks),
  } satisfies ChainTokens & Record<string, unknown>
}
