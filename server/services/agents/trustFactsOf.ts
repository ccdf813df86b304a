import type { TrustFacts } from '@svc/core/trustScore.ts'
import type { AgentRow } from '../../store/agents/agentStore.ts'
import type { OwnerRecord } from '../../store/agents/ownerFactsStore.ts'
import { SYSTEM_OWNER } from '../platforms/buildProvisionalAgent.ts'
import { listDeclaredDimensions } from './registration/agentRegistration.ts'

/** The inputs of the trust score from a stored agent and its account; behaviour is counted elsewhere. */
export function trustFactsOf(
  agent: AgentRow,
  owner: OwnerRecord | null,
): Pick<TrustFacts, 'origin' | 'owner'> {
  return {
    origin: {
      isVouchedFor: agent.ownerId !== SYSTEM_OWNER,
      model: agent.model ?? undefined,
      framework: agent.framework ?? undefined,
      hasDescription: agent.description !== null,
      hasAgentType: agent.agentType !== null,
      hasProtocols: agent.protocols.length > 0,
      hasChallengeUrl: agent.apiEndpoint !== null,
      declaredDimensions: listDeclaredDimensions(agent.pdlss).length,
      hasOnChainIdentity: agent.blockchainStatus === 'verified',
      certificationCount: agent.certifications.length,
      foreignFeedback: agent.foreignFeedback ?? undefined,
    },
    owner: {
      hasVerifiedEmail: owner !== null && owner.emailVerifiedAt !== null,
      hasVerifiedIdentity: owner !== null && owner.kydVerifiedAt !== null,
      hasProvenDomain: owner?.hasProvenDomain ?? false,
      hasSecondFactor: owner?.hasSecondFactor ?? false,
    },
  }
}
