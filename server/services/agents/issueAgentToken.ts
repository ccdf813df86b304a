import { generateUuidV4 } from '@svc/core/ids/uuids.ts'
import { apiError } from '../../errors.ts'
import type { AgentTokens } from '../../external/tokens/agentTokens.ts'
import type { AgentStore } from '../../store/agents/agentStore.ts'
import type { OwnerFactsStore } from '../../store/agents/ownerFactsStore.ts'
import type { SignaturePrincipal } from '../principal.ts'
import type { RegistrySettings } from '../registrySettings.ts'
import { agentStatusOf } from './agentStatusOf.ts'
import { type ListSigningAccountsDeps, listSigningAccounts } from './keys/listSigningAccounts.ts'

export type IssueAgentTokenDeps = ListSigningAccountsDeps & {
  agents: Pick<AgentStore, 'byAnyId'>
  owners: Pick<OwnerFactsStore, 'ofOwner'>
  agentTokens: Pick<AgentTokens, 'sign' | 'lifetimeSeconds'>
  settings: Pick<RegistrySettings, 'randomBytes'>
}

export type IssueAgentTokenInput = {
  id: string
  principal: SignaturePrincipal
  /** The endpoint at which the token proves the agent's identity: its identifier or origin. */
  audience?: string | undefined
  /** Thumbprint of the key that has to sign beside it. */
  jkt?: string | undefined
  now: number
}

/**
 * Issues a 15-minute token for a request that an account which signs for the agent has signed.
 *
 * An agent without such an account cannot get one. The token only states who the agent is; its permissions remain visible
 * only to the owner. With an audience it is for that endpoint, and nobody else accepts it. It is refused as soon as the
 * account no longer signs for the agent.
 *
 * @throws ApiError NOT_FOUND, FORBIDDEN for any other account, INVALID_STATE for an agent that is not active. Source: `Spec:
 * Authentication` 9.
 */
export async function issueAgentToken(
  deps: IssueAgentTokenDeps,
  { id, principal, audience, jkt, now }: IssueAgentTokenInput,
): Promise<{ agentToken: string; expiresIn: number }> {
  const { agents, owners, agentTokens, settings } = deps
  const agent = await agents.byAnyId(id)
  if (!agent) throw apiError('NOT_FOUND')
  const { accounts } = await listSigningAccounts(deps, agent)
  const obtainer = principal.address.toLowerCase()
  if (!accounts.includes(obtainer)) throw apiError('FORBIDDEN')
  if (agentStatusOf(agent, await owners.ofOwner(agent.ownerId)) !== 'active') throw apiError('INVALID_STATE')
  const tokenId = generateUuidV4(settings.randomBytes(16))
  const bound = { ...(audience === undefined ? {} : { audience }), ...(jkt === undefined ? {} : { jkt }) }
  const agentToken = await agentTokens.sign({ svcId: agent.svcId, tokenId, obtainer, ...bound }, now)
  return { agentToken, expiresIn: agentTokens.lifetimeSeconds }
}
