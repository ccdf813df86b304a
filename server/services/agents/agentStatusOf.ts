import type { AgentRow } from '../../store/agents/agentStore.ts'

/**
 * The effective status of an agent: a sub-agent below a suspended agent is suspended with it.
 *
 * Both read `suspended`, so that callers cannot tell a suspended agent from one whose parent is suspended.
 */
export function agentStatusOf({ status, isHeld }: Pick<AgentRow, 'status' | 'isHeld'>): AgentRow['status'] {
  return status === 'active' && isHeld ? 'suspended' : status
}
