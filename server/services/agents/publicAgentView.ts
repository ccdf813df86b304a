import type { AgentRow } from '../../store/agents/agentStore.ts'
import type { AgentToken } from '../../store/agents/tokenStore.ts'
import type { AssessedAgent } from './assessAgent.ts'
import { buildAgentLinks } from './buildAgentLinks.ts'
import { onChainIdentityOf } from './token/onChainIdentityOf.ts'

/**
 * An agent as everyone sees it: identity, score, status and chain record, never its boundary or owner. Source: Spec:
 * Permission privacy.
 */
export function toPublicAgentView(
  agent: AgentRow,
  {
    trustScore,
    agentStatus,
    token,
    tokenUri,
  }: AssessedAgent & { token: AgentToken | null; tokenUri: string },
  publicUrl: string,
) {
  const { agentCardUrl, registrationFileUrl } = buildAgentLinks(publicUrl, agent.svcId)
  return {
    svcId: agent.svcId,
    name: agent.name,
    description: agent.description,
    agentType: agent.agentType,
    image: agent.image,
    protocols: agent.protocols,
    trustScore,
    agentStatus,
    blockchainStatus: agent.blockchainStatus,
    runtimeChallengeSupported: agent.apiEndpoint !== null,
    onChainIdentity: onChainIdentityOf(agent, token, tokenUri),
    agentCardUrl,
    registrationFileUrl,
    registeredAt: new Date(agent.createdAt).toISOString(),
  }
}
