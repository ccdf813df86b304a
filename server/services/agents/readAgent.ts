import { apiError } from '../../errors.ts'
import type { AgentRow, AgentStore } from '../../store/agentStore.ts'
import { actsForOf } from '../actsForOf.ts'
import type { Principal } from '../principal.ts'
import { ownedAgentView } from './ownedAgentView.ts'
import { publicAgentView } from './publicAgentView.ts'

export type ReadAgentDeps = {
  agents: AgentStore
  scoreAgent(agent: AgentRow, now: number): Promise<number>
  publicUrl: string
}

/**
 * One agent: everything for its owner, the public view for anyone else.
 *
 * @param input.id `SVC-` identifier or UUID.
 * @throws ApiError NOT_FOUND. Source: `Spec: GET /api/agents/{id}`; api.md "Agents".
 */
export async function readAgent(
  deps: ReadAgentDeps,
  input: { id: string; principal: Principal; now: number },
) {
  const agent = await deps.agents.byAnyId(input.id)
  if (!agent) throw apiError('NOT_FOUND')
  const trustScore = await deps.scoreAgent(agent, input.now)
  const isOwner = actsForOf(input.principal).has(agent.ownerId)
  const view = isOwner ? ownedAgentView : publicAgentView
  return view(agent, trustScore, deps.publicUrl)
}
