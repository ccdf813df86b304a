import type { AgentStore } from '../../store/agents/agentStore.ts'
import type { SessionPrincipal } from '../principal.ts'
import { findOwnAgent } from './findOwnAgent.ts'
import { type AgentSettings, type ShowAgentSettingsDeps, showAgentSettings } from './showAgentSettings.ts'

export type ReadAgentSettingsDeps = ShowAgentSettingsDeps & {
  agents: Pick<AgentStore, 'byAnyId' | 'bySvcId'>
}

/**
 * Returns what requests of an agent have to prove and to state, as set for it and with what its ancestors require.
 *
 * @param input.id `SVC-` identifier or UUID.
 * @throws ApiError NOT_FOUND, FORBIDDEN for anyone but the owner.
 */
export async function readAgentSettings(
  deps: ReadAgentSettingsDeps,
  input: { id: string; principal: SessionPrincipal },
): Promise<AgentSettings> {
  return showAgentSettings(deps, await findOwnAgent(deps.agents, input))
}
