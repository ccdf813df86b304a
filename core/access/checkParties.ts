import { DECISION_VERSION, type DecisionVersion } from './decision.ts'
import { type EndpointTier, isUnregistered, type RequirableFact, type VerifiedInput } from './facts.ts'
import { type Findings, findingOf, NOTHING, UNREGISTERED_NOTICE } from './findings.ts'
import { determineIdentityProof, isProofSufficient, pickStricterProof } from './identityProof.ts'
import type { VerificationRequest } from './verificationRequest.ts'

const STANDING = {
  agent: findingOf('agent.status'),
  endpoint: findingOf('counterparty.status'),
  challenge: findingOf('runtime.challenge'),
} as const

/** Checks that agent and endpoint are active, and that a runtime challenge that was needed was passed. Spec: States. */
export function checkStanding({ agent, endpoint, challenge }: VerifiedInput): Findings {
  return (
    (agent.status === 'active' ? NOTHING : STANDING.agent) |
    (endpoint.status === 'active' ? NOTHING : STANDING.endpoint) |
    (challenge === 'failed' || challenge === 'withheld' ? STANDING.challenge : NOTHING)
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
  const policy = isUnregistered(endpoint.tier) ? scope.unverifiedCounterpartyPolicy : 'allow'
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

const WRONG_PROOF = findingOf('agent.proof')

/**
 * Checks that the request proves its sender as far as the endpoint and the agent's owner require, whichever is stricter.
 *
 * A proof that is present and wrong is refused even where none is required, so that nobody profits from sending one.
 */
export function checkProof(input: VerifiedInput): Findings {
  const { agent, endpoint, proof } = input
  if (proof === undefined) return NOTHING
  const required = pickStricterProof(agent.minIdentityProof, endpoint.minIdentityProof)
  const isEnough = !proof.isWrong && isProofSufficient(determineIdentityProof(input), required)
  return isEnough ? NOTHING : WRONG_PROOF
}

const WRONG_MANDATE = findingOf('commerce.mandate')

/** Checks the payment mandate that the request presents; one that presents none is not refused for it. */
export function checkPaymentMandate({ mandate }: VerifiedInput): Findings {
  return mandate?.isWrong === true ? WRONG_MANDATE : NOTHING
}

type UnstatedFindings = Readonly<Record<RequirableFact, Findings>>

/** The dimensions of the facts that an endpoint requires. */
export const UNSTATED_THERE: UnstatedFindings = {
  purpose: findingOf('endpoint.purpose'),
  resource: findingOf('endpoint.scope'),
  jurisdiction: findingOf('endpoint.scope'),
  currency: findingOf('endpoint.limits'),
  sessionDuration: findingOf('endpoint.duration'),
}

/** The dimensions of the facts that the agent's owner requires. */
export const UNSTATED_OWN: UnstatedFindings = {
  purpose: findingOf('pdlss.purpose'),
  resource: findingOf('pdlss.scope'),
  jurisdiction: findingOf('pdlss.scope'),
  currency: findingOf('pdlss.limits'),
  sessionDuration: findingOf('pdlss.duration'),
}

/**
 * Checks that a request states the required facts; one that leaves a fact out fails the dimension that `unstated` names.
 *
 * Without this, a boundary is not compared with what a request does not state. A currency is required only beside a value.
 * An action without a category states no purpose; before version 7, it did.
 */
export function checkRequiredFacts(
  requiredFacts: readonly RequirableFact[] | undefined,
  request: VerificationRequest,
  unstated: UnstatedFindings,
  version: DecisionVersion = DECISION_VERSION,
): Findings {
  if (requiredFacts === undefined || requiredFacts.length === 0) return NOTHING
  return requiredFacts.reduce(
    (findings, fact) => (isStated(fact, request, version) ? findings : findings | unstated[fact]),
    NOTHING,
  )
}

function isStated(fact: RequirableFact, request: VerificationRequest, version: DecisionVersion): boolean {
  if (fact === 'purpose') {
    return request.category !== undefined || (version < 7 && request.action !== undefined)
  }
  if (fact === 'currency') return request.transactionValue === undefined || request.currency !== undefined
  return request[fact] !== undefined
}
