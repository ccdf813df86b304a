import type { AgentChanges } from '../../store/agents/agentStore.ts'

/** The chain record of an agent whose identity no block holds any more, until one does again. */
export const NOT_ON_CHAIN = {
  blockchainStatus: 'pending',
  chainAgentId: null,
  chainRegistry: null,
  chainTransaction: null,
  chainBlock: null,
} as const satisfies AgentChanges
