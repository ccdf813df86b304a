import type { AgentChanges } from '../../store/agents/agentStore.ts'
import type { HandlerContext } from './intentHandler.ts'

/**
 * The chain record of an agent whose identity is final: id, registry as `eip155:<chain>:<address>`, and the
 * transaction and block of the mint. Source: onchain.md "Relayer" (`blockchainStatus`); Spec: Agent card.
 */
export function identityRecord(
  mint: { agentId: string; hash: string; block: number },
  { deployment, now }: HandlerContext,
): AgentChanges {
  return {
    blockchainStatus: 'verified',
    chainAgentId: Number(mint.agentId),
    chainRegistry: `eip155:${deployment.chainId}:${deployment.identityRegistry}`,
    chainTransaction: mint.hash,
    chainBlock: mint.block,
    updatedAt: now,
  }
}
