import type { CompiledScope } from '../pdlss/compileScope.ts'
import type { ScopePart } from './approvalRules.ts'
import type { Counters } from './counters.ts'
import { DECISION_VERSION } from './decision.ts'
import type { AgentFacts, EndpointFacts, VerifiedInput } from './facts.ts'
import type { FailureCauses } from './failureCauses.ts'
import { type Findings, findingOf, NOTHING } from './findings.ts'
import { resolveSpendCurrency } from './resolveSpendCurrency.ts'
import { resolveAskedFrom } from './spendThresholds.ts'
import type { VerificationRequest } from './verificationRequest.ts'

// The five dimensions of PDLSS, in its order. Each checks the request against the agent's boundary (`own`) and the
// endpoint's (`theirs`). The functions that end in `There` check it against the endpoint's only; they also decide on callers
// without identity. Spec: PDLSS object.

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
  const needsApproval = own === NOTHING && agent.approvalRules.asksAboutPurpose(request)
  return own | checkPurposeThere(endpoint, request) | (needsApproval ? PURPOSE.approval : NOTHING)
}

/** Checks the purpose and the action against the endpoint's boundary. */
export function checkPurposeThere({ policy }: EndpointFacts, request: VerificationRequest): Findings {
  const isRefused = policy.purpose.refusesCategory(request) || policy.purpose.refusesAction(request)
  return isRefused ? PURPOSE.endpoint : NOTHING
}

/** The causes of failed purposes that lie in the request: it names none, which says nothing of what is allowed. */
export function findUnstatedPurposes({ category, action }: VerificationRequest): FailureCauses {
  if (category !== undefined) return {}
  const withAction: FailureCauses = { 'pdlss.purpose': 'not_stated' }
  if (action !== undefined) return withAction
  return { ...withAction, 'pdlss.action': 'not_stated', 'endpoint.purpose': 'not_stated' }
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
  const seconds = request.sessionDuration ?? 0
  const whenClosed = agent.approvalRules.asksAboutDuration ? DURATION.approval : DURATION.own
  return (
    (own.isOpenAt(now) ? NOTHING : whenClosed) |
    (seconds > own.sessionSecondsMax ? DURATION.own : NOTHING) |
    checkDurationThere(endpoint, request, now)
  )
}

/** Checks the current time and the requested session length against the endpoint's boundary. */
export function checkDurationThere(
  { policy: { duration } }: EndpointFacts,
  request: VerificationRequest,
  now: number,
): Findings {
  const isTooLong = (request.sessionDuration ?? 0) > duration.sessionSecondsMax
  return isTooLong || !duration.isOpenAt(now) ? DURATION.endpoint : NOTHING
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
 * Hard Limit is refused, and the owner is asked about anything in between. A value without a currency is one in the
 * endpoint's currency, so it fails the agent's limits where theirs is another. Spec: Step-up dimensions.
 */
export function checkSpend(input: VerifiedInput): Findings {
  const { agent, endpoint, request, counters } = input
  const value = request.transactionValue
  if (value === undefined) return NOTHING
  const own = agent.policy.limits
  const theirs = endpoint.policy.limits
  const currency = currencyOf(input)
  const isRefused = own.refusesSpend(value, currency)
  const isRefusedThere = theirs.refusesSpend(value, currency)
  return (
    (isRefused ? LIMITS.spend : NOTHING) |
    (isRateReached(agent, counters) ? LIMITS.rate : NOTHING) |
    checkSpendThere(endpoint, request, counters) |
    (!isRefused && !isRefusedThere && value >= resolveAskedFrom(agent, endpoint) ? LIMITS.approval : NOTHING)
  )
}

/** Before version 7, a value without a currency was compared with the limits of both, whatever their currencies. */
function currencyOf({ agent, endpoint, request, version = DECISION_VERSION }: VerifiedInput) {
  if (version < 7) return request.currency
  return resolveSpendCurrency(request, { agent: agent.policy, endpoint: endpoint.policy })
}

/** Checks the value, the number of transactions and the spend in the current period against the endpoint's boundary. */
export function checkSpendThere(
  { policy: { limits } }: EndpointFacts,
  { transactionValue: value, currency }: VerificationRequest,
  counters: Counters,
): Findings {
  if (value === undefined) return NOTHING
  const isOver =
    limits.refusesSpend(value, currency) ||
    isReached(limits.maxTransactionsPerHour, counters.endpointGrantsLastHour) ||
    (counters.cumulativeSpend !== undefined &&
      limits.cumulative?.isExceededBy(counters.cumulativeSpend, value) === true)
  return isOver ? LIMITS.endpoint : NOTHING
}

/** A sub-agent that inherits its boundary is also bound by the higher caps of its ancestors. */
function isRateReached({ policy, ancestorMaxTransactionsPerHour }: AgentFacts, counters: Counters): boolean {
  if (isReached(policy.limits.maxTransactionsPerHour, counters.agentGrantsLastHour)) return true
  return (
    ancestorMaxTransactionsPerHour?.some((max, n) => isReached(max, counters.ancestorGrantsLastHour?.[n])) ??
    false
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
 * Each part is judged separately: one that an approval rule covers needs approval, and any other that fails denies. To the
 * endpoint the agent is the counterparty, so the endpoint's minCounterpartyTrustScore applies to the agent's trust score.
 * Spec: access level `internal`.
 */
export function checkScope(input: VerifiedInput): Findings {
  if (input.sharesOwner) return NOTHING
  const { agent, endpoint, request } = input
  const own = agent.policy.scope
  const theirs = checkScopeThere(endpoint, request, agent.trustScore)
  const parts =
    checkScopePart(input, 'resources', refusesResource(own, request)) |
    checkScopePart(input, 'jurisdictions', own.refusesJurisdiction(request.jurisdiction)) |
    checkScopePart(input, 'counterparties', own.refusesCounterparty(endpoint.host, endpoint.merchantIds))
  return theirs | ((parts & SCOPE.own) === NOTHING ? parts : SCOPE.own)
}

function checkScopePart({ agent, endpoint, request }: VerifiedInput, part: ScopePart, isOutside: boolean) {
  if (!isOutside) return NOTHING
  return agent.approvalRules.asksAboutScope(part, request, endpoint.host) ? SCOPE.approval : SCOPE.own
}

/**
 * Whether the mandate names other counterparties than this endpoint, and no approval rule puts it to the owner. It shows as
 * `pdlss.scope`.
 */
export function isForbiddenCounterparty(input: VerifiedInput): boolean {
  const { agent, endpoint, sharesOwner } = input
  if (sharesOwner) return false
  const isOutside = agent.policy.scope.refusesCounterparty(endpoint.host, endpoint.merchantIds)
  return checkScopePart(input, 'counterparties', isOutside) === SCOPE.own
}

/** Checks the resource, the jurisdiction and the caller's trust score, if known, against the endpoint's boundary. */
export function checkScopeThere(
  { policy: { scope } }: EndpointFacts,
  request: VerificationRequest,
  trustScore: number | undefined,
): Findings {
  const isOutside =
    refusesResource(scope, request) ||
    scope.refusesJurisdiction(request.jurisdiction) ||
    (trustScore !== undefined && trustScore < scope.minCounterpartyTrustScore)
  return isOutside ? SCOPE.endpoint : NOTHING
}

function refusesResource(scope: CompiledScope, request: VerificationRequest): boolean {
  return scope.refusesResource(request) || scope.refusesResourceType(request.resourceType)
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
  const needsApproval =
    own.requiresApproval ||
    theirs.requiresApproval ||
    agent.approvalRules.asksAboutSelfInstantiation(subAgent.purpose)
  return (
    (isRefused ? SELF_INSTANTIATION.own : needsApproval ? SELF_INSTANTIATION.approval : NOTHING) |
    (theirs.refuses(subAgent, counters.endpointSubAgents) ? SELF_INSTANTIATION.endpoint : NOTHING)
  )
}
