import type { TrustFacts } from '@svc/core/trustScore.ts'
import type { AgentRow } from '../../store/agents/agentStore.ts'
import type { OwnerRecord } from '../../store/agents/ownerFactsStore.ts'
import { SYSTEM_OWNER } from '../platforms/systemOwner.ts'
import { declaredDimensions } from './registration/declaredDimensions.ts'

/**
 * What the trust score asks of a stored agent and of the account that owns it; the behaviour is counted elsewhere.
 *
 * Source: verification.md "Trust score".
 */
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
      declaredDimensions: declaredDimensions(agent.pdlss).length,
      hasOnChainIdentity: agent.blockchainStatus === 'verified',
      certificationCount: agent.certifications.length,
    },
    owner: {
      hasVerifiedEmail: owner !== null && owner.emailVerifiedAt !== null,
      hasVerifiedIdentity: owner !== null && owner.kydVerifiedAt !== null,
      hasProvenDomain: owner?.hasProvenDomain ?? false,
      hasSecondFactor: owner?.hasSecondFactor ?? false,
    },
  }
}
