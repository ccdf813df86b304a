import { generateUuidV4 } from '@svc/core/ids/uuids.ts'
import { apiError } from '../../errors.ts'
import type { AgentTokens } from '../../external/agentTokens.ts'
import type { AgentStore } from '../../store/agents/agentStore.ts'
import type { SignaturePrincipal } from '../principal.ts'
import type { RegistrySettings } from '../registrySettings.ts'
import { agentStatusOf } from './agentStatusOf.ts'

export type IssueAgentTokenDeps = {
  agents: Pick<AgentStore, 'byAnyId'>
  agentTokens: Pick<AgentTokens, 'sign' | 'lifetimeSeconds'>
  settings: Pick<RegistrySettings, 'randomBytes'>
}

export type IssueAgentTokenInput = { id: string; principal: SignaturePrincipal; now: number }

/**
 * Gives an agent a token of 15 minutes for a request that it signed with its own key: the one that registered it.
 *
 * An agent that was registered without a key has none to sign with. The token says who the agent is and no more; what
 * the agent is allowed stays its owner's to read.
 *
 * @throws ApiError NOT_FOUND, FORBIDDEN for any other key, INVALID_STATE for an agent that is not active.
 * Source: api.md "Agents"; `Spec: Authentication` 9.
 */
export async function issueAgentToken(
  { agents, agentTokens, settings }: IssueAgentTokenDeps,
  { id, principal, now }: IssueAgentTokenInput,
): Promise<{ agentToken: string; expiresIn: number }> {
  const agent = await agents.byAnyId(id)
  if (!agent) throw apiError('NOT_FOUND')
  if (agent.signerAddress?.toLowerCase() !== principal.address.toLowerCase()) throw apiError('FORBIDDEN')
  if (agentStatusOf(agent) !== 'active') throw apiError('INVALID_STATE')
  const tokenId = generateUuidV4(settings.randomBytes(16))
  const agentToken = await agentTokens.sign({ svcId: agent.svcId, tokenId }, now)
  return { agentToken, expiresIn: agentTokens.lifetimeSeconds }
}
