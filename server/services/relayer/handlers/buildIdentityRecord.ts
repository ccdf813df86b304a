import { z } from 'zod'
import type { Hex } from '../../../chain/chainTypes.ts'
import type { AgentChanges } from '../../../store/agents/agentStore.ts'
import type { HandlerContext } from '../intentHandler.ts'

/** Result of a mint, as stored in the outbox: the token's id and its first holder. */
export const mintResult = z.object({
  agentId: z.string(),
  holder: z.custom<Hex>((value) => typeof value === 'string' && value.startsWith('0x')),
})

/**
 * Returns the chain record of an agent whose identity is final: its id, the registry as `eip155:<chain>:<address>`, and the
 * transaction and block of the mint. Source: `Spec: Agent card`.
 */
export function buildIdentityRecord(
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

/** The chain record of an agent whose identity has left the chain, until it is mined again. */
export const NOT_ON_CHAIN = {
  blockchainStatus: 'pending',
  chainAgentId: null,
  chainRegistry: null,
  chainTransaction: null,
  chainBlock: null,
} as const satisfies AgentChanges
