import type { AgentRow } from '../../store/agents/agentStore.ts'

/**
 * The status in which an agent deals with others: a sub-agent below one that is suspended is suspended with it.
 *
 * It is the same word everywhere, so that nobody can tell a suspended agent from one whose parent is.
 */
export function agentStatusOf({ status, isHeld }: Pick<AgentRow, 'status' | 'isHeld'>): AgentRow['status'] {
  return status === 'active' && isHeld ? 'suspended' : status
}
