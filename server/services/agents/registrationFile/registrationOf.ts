import type { AgentRow } from '../../../store/agents/agentStore.ts'

/** The token that stands for an agent: its number and its registry (CAIP-10); null before there is one. Source: ERC-8004. */
export function registrationOf(agent: AgentRow): { agentId: number; agentRegistry: string } | null {
  const { chainAgentId, chainRegistry } = agent
  if (chainAgentId === null || chainRegistry === null) return null
  return { agentId: chainAgentId, agentRegistry: chainRegistry }
}
