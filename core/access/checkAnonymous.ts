import { checkDurationThere, checkPurposeThere, checkScopeThere, checkSpendThere } from './checkBoundaries.ts'
import { checkRequiredFacts, UNSTATED_THERE } from './checkParties.ts'
import type { Counters } from './counters.ts'
import { DECISION_VERSION, type DecisionVersion } from './decision.ts'
import type { EndpointFacts } from './facts.ts'
import { type Findings, findingOf, NOTHING } from './findings.ts'
import { isProofSufficient } from './identityProof.ts'
import { readsOnly } from './readsOnly.ts'
import type { VerificationRequest } from './verificationRequest.ts'

const FAILURES = {
  allowlist: findingOf('counterparty.allowlist'),
  purpose: findingOf('endpoint.purpose'),
  limits: findingOf('endpoint.limits'),
  selfInstantiation: findingOf('endpoint.selfInstantiation'),
  certifications: findingOf('endpoint.certifications'),
  proof: findingOf('agent.proof'),
} as const

type AnonymousRequest = {
  endpoint: EndpointFacts
  request: VerificationRequest
  counters: Counters
  now: number
  version?: DecisionVersion
}

/**
 * Checks a request without identity against the endpoint's boundary and allowlist.
 *
 * Nobody vouches for the caller: its trust score is 0, it has no certifications, it is on no allowlist, it is not an agent
 * that could create sub-agents, and no owner can approve what would need approval. Under `allow_partial` it may only read.
 * It proves nothing about its sender, so an endpoint that requires any proof refuses it, since version 4: leaving out the
 * agent must not get more than naming it.
 */
export function checkAnonymous(asked: AnonymousRequest): Findings {
  const { endpoint, request, counters, now } = asked
  const { limits, scope } = endpoint.policy
  const { transactionValue: value, subAgent, certifications = [] } = request
  const needsApproval = value !== undefined && value >= limits.autonomousThreshold
  const needsCertification = scope.requiredCertifications.length > 0 || certifications.length > 0
  return (
    (endpoint.allowlist === undefined ? NOTHING : FAILURES.allowlist) |
    checkRequiredFacts(endpoint.requiredFacts, request, UNSTATED_THERE, asked.version) |
    checkPurposeThere(endpoint, request) |
    checkDurationThere(endpoint, request, now) |
    checkSpendThere(endpoint, request, counters) |
    (needsApproval ? FAILURES.limits : NOTHING) |
    checkScopeThere(endpoint, request, 0) |
    (subAgent === undefined ? NOTHING : FAILURES.selfInstantiation) |
    (needsCertification ? FAILURES.certifications : NOTHING) |
    checkProof(asked) |
    (endpoint.unverifiedAgentPolicy === 'allow_partial' ? checkReading(request) : NOTHING)
  )
}

function checkProof({ endpoint, version = DECISION_VERSION }: AnonymousRequest): Findings {
  const isEnough = version < 4 || isProofSufficient('none', endpoint.minIdentityProof ?? 'none')
  return isEnough ? NOTHING : FAILURES.proof
}

function checkReading(request: VerificationRequest): Findings {
  return (
    (readsOnly(request) ? NOTHING : FAILURES.purpose) |
    (request.transactionValue === undefined ? NOTHING : FAILURES.limits)
  )
}
