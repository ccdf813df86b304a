import { computeTrustScore } from '@svc/core/trustScore.ts'
import type { AgentRow } from '../../store/agents/agentStore.ts'
import type { OwnerFactsStore } from '../../store/agents/ownerFactsStore.ts'
import type { BehaviourStore } from '../../store/feed/behaviourStore.ts'
import { agentStatusOf } from './agentStatusOf.ts'
import { trustFactsOf } from './trustFactsOf.ts'

export type AssessAgentDeps = { owners: Pick<OwnerFactsStore, 'ofOwner'>; behaviour: BehaviourStore }

/** What stored facts say about an agent at a time. */
export type AssessedAgent = { trustScore: number; agentStatus: AgentRow['status'] }

/**
 * Computes the current trust score and the effective status of an agent from stored facts. Source: `Spec: Trust score rules`
 * (recomputed at each request).
 */
export async function assessAgent(
  deps: AssessAgentDeps,
  agent: AgentRow,
  now: number,
): Promise<AssessedAgent> {
  const owner = await deps.owners.ofOwner(agent.ownerId)
  const activity = await deps.behaviour.ofAgent(agent.svcId)
  return {
    trustScore: computeTrustScore({ ...trustFactsOf(agent, owner), activity }, now),
    agentStatus: agentStatusOf(agent, owner),
  }
}
