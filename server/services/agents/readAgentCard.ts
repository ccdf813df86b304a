import { agentCard } from '@svc/core/card/agentCard.ts'
import { apiError } from '../../errors.ts'
import type { AgentStore } from '../../store/agentStore.ts'
import { actsForOf } from '../actsForOf.ts'
import type { Principal } from '../principal.ts'
import { agentLinks } from './agentLinks.ts'
import { declaredDimensions } from './declaredDimensions.ts'
import { registrationOf } from './registrationOf.ts'

export type ReadAgentCardDeps = { agents: AgentStore; publicUrl: string }

/**
 * The card of an agent; its owner's holds the boundary itself.
 *
 * @param input.id `SVC-` identifier or UUID.
 * @throws ApiError NOT_FOUND. Source: api.md "Agent card".
 */
export async function readAgentCard(deps: ReadAgentCardDeps, input: { id: string; principal: Principal }) {
  const agent = await deps.agents.byAnyId(input.id)
  if (!agent) throw apiError('NOT_FOUND')
  const isOwner = actsForOf(input.principal).has(agent.ownerId)
  return agentCard({
    svcId: agent.svcId,
    name: agent.name,
    description: agent.description,
    image: agent.image,
    protocols: Object.fromEntries(
      agent.protocols.map((protocol) => [protocol, agent.declarations[protocol] ?? {}]),
    ),
    runtimeChallengeSupported: agent.apiEndpoint !== null,
    verificationEndpoint: agentLinks(deps.publicUrl, agent.svcId).verificationEndpoint,
    onChainIdentity: registrationOf(agent),
    pdlss: { declared: declaredDimensions(agent.pdlss), hash: agent.pdlssHash },
    ...(isOwner ? { owned: { boundary: agent.pdlss, salt: agent.pdlssSalt } } : {}),
  })
}
