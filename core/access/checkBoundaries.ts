import type { CompiledScope } from '../pdlss/compileScope.ts'
import type { VerifiedInput } from './facts.ts'
import { type Findings, findingOf, NOTHING } from './findings.ts'
import type { VerificationRequest } from './verificationRequest.ts'

// The five dimensions of PDLSS, in its order. Each checks the request against the agent's boundary (`own`) and the
// endpoint's (`theirs`). Spec: PDLSS object.

const PURPOSE = {
  category: findingOf('pdlss.purpose'),
  action: findingOf('pdlss.action'),
  endpoint: findingOf('endpoint.purpose'),
  approval: findingOf('pdlss.purpose.approval_required'),
} as const

/** Checks the purpose and the action. A request within the agent's boundary may still need approval by an owner's rule. */
export function checkPurpose({ agent, endpoint, request }: VerifiedInput): Findings {
  const own =
    (agent.policy.purpose.refusesCategory(request) ? PURPOSE.category : NOTHING) |
    (agent.policy.purpose.refusesAction(request) ? PURPOSE.action : NOTHING)
  const theirs = endpoint.policy.purpose
  const isRefusedThere = theirs.refusesCategory(request) || theirs.refusesAction(request)
  const needsApproval = own === NOTHING && agent.approvalRules.asksAboutPurpose(request)
  return own | (isRefusedThere ? PURPOSE.endpoint : NOTHING) | (needsApproval ? PURPOSE.approval : NOTHING)
}

const DURATION = {
  own: findingOf('pdlss.duration'),
  endpoint: findingOf('endpoint.duration'),
  approval: findingOf('pdlss.duration.approval_required'),
} as const

/**
 * Checks the current time against the weekly windows, and the requested session length against the longest sessions.
 *
 * An owner can approve a request outside the allowed days or hours, but never a longer session.
 */
export function checkDuration({ agent, endpoint, request, now }: VerifiedInput): Findings {
  const own = agent.policy.duration
  const theirs = endpoint.policy.duration
  const seconds = request.sessionDuration ?? 0
  const whenClosed = agent.approvalRules.asksAboutDuration ? DURATION.approval : DURATION.own
  return (
    (own.isOpenAt(now) ? NOTHING : whenClosed) |
    (seconds > own.sessionSecondsMax ? DURATION.own : NOTHING) |
    (!theirs.isOpenAt(now) || seconds > theirs.sessionSecondsMax ? DURATION.endpoint : NOTHING)
  )
}

const LIMITS = {
  spend: findingOf('pdlss.limits'),
  rate: findingOf('pdlss.rate'),
  endpoint: findingOf('endpoint.limits'),
  approval: findingOf('commerce.intent.approval_required'),
} as const

/**
 * Checks the value of the transaction, the number of transactions in the last hour, and the spend in the current period.
 *
 * The lower of two thresholds applies: spend below both autonomousThresholds needs no approval, spend at or above either
 * Hard Limit is refused, and the owner is asked about anything in between. Spec: Step-up dimensions.
 */
export function checkSpend({ agent, endpoint, request, counters }: VerifiedInput): Findings {
  const value = request.transactionValue
  if (value === undefined) return NOTHING
  const own = agent.policy.limits
  const theirs = endpoint.policy.limits
  const askedFrom = Math.min(
    own.autonomousThreshold,
    theirs.autonomousThreshold,
    agent.approvalRules.asksAboutSpendFrom,
  )
  const isRefused = own.refusesSpend(value, request.currency)
  const isRefusedThere = theirs.refusesSpend(value, request.currency)
  const isOverThere =
    isRefusedThere ||
    isReached(theirs.maxTransactionsPerHour, counters.endpointGrantsLastHour) ||
    (counters.cumulativeSpend !== undefined &&
      theirs.cumulative?.isExceededBy(counters.cumulativeSpend, value) === true)
  return (
    (isRefused ? LIMITS.spend : NOTHING) |
    (isReached(own.maxTransactionsPerHour, counters.agentGrantsLastHour) ? LIMITS.rate : NOTHING) |
    (isOverThere ? LIMITS.endpoint : NOTHING) |
    (!isRefused && !isRefusedThere && value >= askedFrom ? LIMITS.approval : NOTHING)
  )
}

function isReached(max: number | undefined, count: number | undefined): boolean {
  return max !== undefined && count !== undefined && count >= max
}

const SCOPE = {
  own: findingOf('pdlss.scope'),
  endpoint: findingOf('endpoint.scope'),
  approval: findingOf('pdlss.scope.approval_required'),
} as const

/**
 * Checks the resource, the jurisdiction and the counterparty, unless caller and endpoint share an owner.
 *
 * To the endpoint the agent is the counterparty, so the endpoint's minCounterpartyTrustScore applies to the agent's trust
 * score. Spec: access level `internal`.
 */
export function checkScope({ agent, endpoint, request, sharesOwner }: VerifiedInput): Findings {
  if (sharesOwner) return NOTHING
  const own = agent.policy.scope
  const theirs = endpoint.policy.scope
  const isOutside = refusesScope(own, request) || own.refusesCounterparty(endpoint.host, endpoint.merchantIds)
  const isOutsideThere =
    refusesScope(theirs, request) ||
    (agent.trustScore !== undefined && agent.trustScore < theirs.minCounterpartyTrustScore)
  const needsApproval = isOutside && agent.approvalRules.asksAboutScope(request, endpoint.host)
  return (
    (needsApproval ? SCOPE.approval : isOutside ? SCOPE.own : NOTHING) |
    (isOutsideThere ? SCOPE.endpoint : NOTHING)
  )
}

function refusesScope(scope: CompiledScope, request: VerificationRequest): boolean {
  return (
    scope.refusesResource(request) ||
    scope.refusesResourceType(request.resourceType) ||
    scope.refusesJurisdiction(request.jurisdiction)
  )
}

const SELF_INSTANTIATION = {
  own: findingOf('pdlss.selfInstantiation'),
  endpoint: findingOf('endpoint.selfInstantiation'),
  approval: findingOf('pdlss.selfInstantiation.approval_required'),
} as const

/** Checks a request to create a sub-agent; `requireApproval` in either boundary asks the owner. */
export function checkSelfInstantiation({ agent, endpoint, request, counters }: VerifiedInput): Findings {
  const { subAgent } = request
  if (subAgent === undefined) return NOTHING
  const own = agent.policy.selfInstantiation
  const theirs = endpoint.policy.selfInstantiation
  const isRefused = own.refuses(subAgent, counters.agentSubAgents)
  const isRefusedThere = theirs.refuses(subAgent, counters.endpointSubAgents)
  const needsApproval =
    own.requiresApproval ||
    theirs.requiresApproval ||
    agent.approvalRules.asksAboutSelfInstantiation(subAgent.purpose)
  return (
    (isRefused ? SELF_INSTANTIATION.own : needsApproval ? SELF_INSTANTIATION.approval : NOTHING) |
    (isRefusedThere ? SELF_INSTANTIATION.endpoint : NOTHING)
  )
}
