import type { AgentRow } from '../../store/agents/agentStore.ts'

/**
 * The effective status of an agent: a sub-agent below a suspended agent is suspended with it, and so is every agent of an
 * owner that an operator has suspended.
 *
 * All read `suspended`, so that callers cannot tell why an agent is.
 *
 * @param owner Its owner; null or omitted for what depends on the agent's own row only, such as its registration file.
 */
export function agentStatusOf(
  { status, isHeld }: Pick<AgentRow, 'status' | 'isHeld'>,
  owner: { isSuspended: boolean } | null = null,
): AgentRow['status'] {
  return status === 'active' && (isHeld || owner?.isSuspended === true) ? 'suspended' : status
}
