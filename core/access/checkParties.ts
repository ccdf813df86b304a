import type { EndpointTier, RequirableFact, VerifiedInput } from './facts.ts'
import { type Findings, findingOf, NOTHING, UNREGISTERED_NOTICE } from './findings.ts'
import type { VerificationRequest } from './verificationRequest.ts'

const STANDING = {
  agent: findingOf('agent.status'),
  endpoint: findingOf('counterparty.status'),
  challenge: findingOf('runtime.challenge'),
} as const

/** Checks that agent and endpoint are active and that the agent did not fail its runtime challenge. Spec: States. */
export function checkStanding({ agent, endpoint, challenge }: VerifiedInput): Findings {
  return (
    (agent.status === 'active' ? NOTHING : STANDING.agent) |
    (endpoint.status === 'active' ? NOTHING : STANDING.endpoint) |
    (challenge === 'failed' ? STANDING.challenge : NOTHING)
  )
}

const COUNTERPARTY = {
  trust: findingOf('counterparty.trust'),
  policy: findingOf('counterparty.policy'),
  approval: findingOf('pdlss.scope.approval_required'),
} as const

/** The trust score of an endpoint, which its tier determines. */
const TIER_SCORES: Record<EndpointTier, number> = {
  unknown: 0,
  discovered: 20,
  self_asserted: 50,
  domain_verified: 80,
}

/**
 * Checks the endpoint against the agent's rules about its counterparties: whether they may be unregistered, and how far
 * they must be trusted.
 *
 * These rules belong to the scope of the mandate. So they do not apply to an endpoint of the same owner, and an approval
 * rule on scope puts them to the owner ("this counterparty"). Spec: PDLSS object, scope.
 */
export function checkCounterparty({ agent, endpoint, request, sharesOwner }: VerifiedInput): Findings {
  if (sharesOwner || endpoint.tier === undefined) return NOTHING
  const { scope } = agent.policy
  const isUnregistered = endpoint.tier === 'discovered' || endpoint.tier === 'unknown'
  const policy = isUnregistered ? scope.unverifiedCounterpartyPolicy : 'allow'
  const refused =
    (TIER_SCORES[endpoint.tier] < scope.minCounterpartyTrustScore ? COUNTERPARTY.trust : NOTHING) |
    (policy === 'deny' ? COUNTERPARTY.policy : NOTHING)
  if (refused !== NOTHING) {
    const isAsked = agent.approvalRules.asksAboutScope('counterparties', request, endpoint.host)
    return isAsked ? COUNTERPARTY.approval : refused
  }
  return policy === 'warn' ? UNREGISTERED_NOTICE : NOTHING
}

const MISSING_CERTIFICATION = findingOf('endpoint.certifications')

/** Checks that the agent holds every certification that the endpoint requires or the request claims. */
export function checkCertifications({ agent, endpoint, request }: VerifiedInput): Findings {
  const held = agent.certifications
  if (held === undefined) return NOTHING
  const isMissing = (certification: string) => !held.includes(certification)
  const required = endpoint.policy.scope.requiredCertifications
  if (required.length > 0 && required.some(isMissing)) return MISSING_CERTIFICATION
  return request.certifications?.some(isMissing) === true ? MISSING_CERTIFICATION : NOTHING
}

const UNSTATED: Readonly<Record<RequirableFact, Findings>> = {
  purpose: findingOf('endpoint.purpose'),
  resource: findingOf('endpoint.scope'),
  jurisdiction: findingOf('endpoint.scope'),
  currency: findingOf('endpoint.limits'),
  sessionDuration: findingOf('endpoint.duration'),
}

/**
 * Checks that a request states the facts that the endpoint requires; one that leaves a fact out fails its dimension.
 *
 * Without this, a boundary is not compared with what a request does not state. A currency is required only beside a value.
 */
export function checkRequiredFacts(
  requiredFacts: readonly RequirableFact[] | undefined,
  request: VerificationRequest,
): Findings {
  if (requiredFacts === undefined || requiredFacts.length === 0) return NOTHING
  return requiredFacts.reduce(
    (findings, fact) => (isStated(fact, request) ? findings : findings | UNSTATED[fact]),
    NOTHING,
  )
}

function isStated(fact: RequirableFact, request: VerificationRequest): boolean {
  if (fact === 'purpose') return request.category !== undefined || request.action !== undefined
  if (fact === 'currency') return request.transactionValue === undefined || request.currency !== undefined
  return request[fact] !== undefined
}
