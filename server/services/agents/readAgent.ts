import { apiError } from '../../errors.ts'
import type { AgentStore } from '../../store/agents/agentStore.ts'
import { actsForOf } from '../actsForOf.ts'
import type { Principal } from '../principal.ts'
import { type ViewAgentDeps, viewAgent } from './viewAgent.ts'

export type ReadAgentDeps = ViewAgentDeps & { agents: Pick<AgentStore, 'byAnyId'> }

/**
 * Returns an agent: all members for its owner, the public view for others; the agent itself is refused.
 *
 * @param input.id `SVC-` identifier or UUID.
 * @throws ApiError NOT_FOUND, FORBIDDEN for the agent itself. Source: `Spec: GET /api/agents/{id}`.
 */
export async function readAgent(
  deps: ReadAgentDeps,
  input: { id: string; principal: Principal; now: number },
) {
  const agent = await deps.agents.byAnyId(input.id)
  if (!agent) throw apiError('NOT_FOUND')
  if (input.principal.kind === 'agent' && input.principal.svcId === agent.svcId) throw apiError('FORBIDDEN')
  const isOwner = actsForOf(input.principal).has(agent.ownerId)
  return viewAgent(deps, agent, { viewer: isOwner ? 'owner' : 'anyone', now: input.now })
}
