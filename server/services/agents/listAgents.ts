import type { AgentStore } from '../../store/agentStore.ts'
import type { SessionPrincipal } from '../principal.ts'
import { type ViewAgentDeps, viewAgent } from './viewAgent.ts'

export type ListAgentsDeps = ViewAgentDeps & { agents: Pick<AgentStore, 'listByOwners'> }

export type ListAgentsInput = {
  principal: SessionPrincipal
  page: { limit: number; before: number | null }
  now: number
}

/** The agents of everyone the signed-in user acts for, newest first. Source: `Spec: GET /api/agents`. */
export async function listAgents(deps: ListAgentsDeps, input: ListAgentsInput) {
  const { items, nextBefore } = await deps.agents.listByOwners([...input.principal.actsFor], input.page)
  const views = items.map((agent) => viewAgent(deps, agent, { viewer: 'owner', now: input.now }))
  return { items: await Promise.all(views), nextBefore }
}
