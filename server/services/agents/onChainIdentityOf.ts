import type { AgentRow } from '../../store/agentStore.ts'

/** Where an agent is on chain; null before it is. Source: onchain.md "Relayer", `blockchainStatus`. */
export function onChainIdentityOf(agent: AgentRow) {
  const { chainAgentId, chainRegistry, chainTransaction, chainBlock } = agent
  if (chainAgentId === null || chainRegistry === null) return null
  return {
    agentId: chainAgentId,
    agentRegistry: chainRegistry,
    transactionHash: chainTransaction,
    blockNumber: chainBlock,
  }
}
