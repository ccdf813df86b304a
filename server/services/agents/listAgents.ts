import type { AgentRow, AgentStore } from '../../store/agentStore.ts'
import type { SessionPrincipal } from '../principal.ts'
import { ownedAgentView } from './ownedAgentView.ts'

export type ListAgentsDeps = {
  agents: AgentStore
  scoreAgent(agent: AgentRow, now: number): Promise<number>
  publicUrl: string
}

export type ListAgentsInput = {
  principal: SessionPrincipal
  page: { limit: number; before: number | null }
  now: number
}

/** The agents of everyone the signed-in user acts for, newest first. Source: `Spec: GET /api/agents`. */
export async function listAgents(deps: ListAgentsDeps, input: ListAgentsInput) {
  const { items, nextBefore } = await deps.agents.listByOwners([...input.principal.actsFor], input.page)
  const views = items.map(async (agent) =>
    ownedAgentView(agent, await deps.scoreAgent(agent, input.now), deps.publicUrl),
  )
  return { items: await Promise.all(views), nextBefore }
}
