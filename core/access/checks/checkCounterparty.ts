import type { EndpointTier, VerifiedInput } from '../facts.ts'
import { type Findings, findingOf, NOTHING, UNREGISTERED_NOTICE } from '../findings.ts'

const ASK = findingOf('pdlss.scope.approval_required')
const TRUST = findingOf('counterparty.trust')
const POLICY = findingOf('counterparty.policy')

/** How far an endpoint is trusted by its tier alone, on the scale of agents' trust scores. */
const TIER_SCORES: Record<EndpointTier, number> = {
  unknown: 0,
  discovered: 20,
  self_asserted: 50,
  domain_verified: 80,
}

/**
 * The agent's own rules on whom it deals with: endpoints without a registered record, and how well known they have to be.
 *
 * These are scope rules of the mandate, so they do not concern an endpoint of the same owner, and an approval rule on scope can put
 * them to the owner ("this counterparty"). Spec: PDLSS object, scope.
 */
export function checkCounterparty({ agent, endpoint, request, sharesOwner }: VerifiedInput): Findings {
  if (sharesOwner || endpoint.tier === undefined) return NOTHING
  const { scope } = agent.policy
  const isUnregistered = endpoint.tier === 'discovered' || endpoint.tier === 'unknown'
  const policy = isUnregistered ? scope.unverifiedCounterpartyPolicy : 'allow'
  const refused =
    (TIER_SCORES[endpoint.tier] < scope.minCounterpartyTrustScore ? TRUST : NOTHING) |
    (policy === 'deny' ? POLICY : NOTHING)
  if (refused !== NOTHING) return agent.approvalRules.asksOnScope(request, endpoint.host) ? ASK : refused
  return policy === 'warn' ? UNREGISTERED_NOTICE : NOTHING
}
