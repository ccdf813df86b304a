import { computeTrustScore } from '@svc/core/trustScore.ts'
import type { AgentRow } from '../../store/agents/agentStore.ts'
import type { OwnerFactsStore } from '../../store/agents/ownerFactsStore.ts'
import type { BehaviourStore } from '../../store/feed/behaviourStore.ts'
import { trustFactsOf } from './trustFactsOf.ts'

export type ScoreAgentDeps = { owners: OwnerFactsStore; behaviour: BehaviourStore }

/** The trust score of an agent now, from what is stored. Source: `Spec: Trust score rules` (recomputed at each request). */
export async function scoreAgent(deps: ScoreAgentDeps, agent: AgentRow, now: number): Promise<number> {
  const owner = await deps.owners.ofOwner(agent.ownerId)
  const activity = await deps.behaviour.ofAgent(agent.svcId)
  return computeTrustScore({ ...trustFactsOf(agent, owner), activity }, now)
}
