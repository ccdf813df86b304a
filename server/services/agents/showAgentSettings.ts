import type { ResultOf } from '@svc/core/contract/operations.ts'
import type { AgentKeyStore } from '../../store/agents/agentKeyStore.ts'
import type { AgentRow, AgentStore } from '../../store/agents/agentStore.ts'
import {
  combineRequirements,
  findInheritedRequirements,
  requirementsOf,
} from './findInheritedRequirements.ts'

export type ShowAgentSettingsDeps = {
  agents: Pick<AgentStore, 'bySvcId'>
  agentKeys: Pick<AgentKeyStore, 'ofAgent'>
}

/** The settings as an owner sees them. */
export type AgentSettings = ResultOf<'GET /api/agents/:id/settings'>

/** The settings as they are stored with an agent. */
export type StoredSettings = Pick<AgentRow, 'minIdentityProof' | 'requiredFacts' | 'isListed'>

export const settingsOf = ({ minIdentityProof, requiredFacts, isListed }: AgentRow): StoredSettings => ({
  minIdentityProof,
  requiredFacts,
  isListed,
})

/** Shows the settings of an agent as they are set for it, and with what its ancestors require. */
export async function showAgentSettings(
  deps: ShowAgentSettingsDeps,
  agent: AgentRow,
): Promise<AgentSettings> {
  const { minIdentityProof, requiredFacts } = await findInheritedRequirements(deps, agent)
  const inherited = { minIdentityProof, requiredFacts: [...requiredFacts] }
  const own = requirementsOf(agent, await deps.agentKeys.ofAgent(agent.svcId))
  const effective = combineRequirements(own, inherited)
  return {
    ...settingsOf(agent),
    effectiveMinIdentityProof: effective.minIdentityProof,
    effectiveRequiredFacts: [...effective.requiredFacts],
    inherited,
  }
}
