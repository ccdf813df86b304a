import type { Access, AccessLevel, Decision } from './decision.ts'
import type { VerifiedInput } from './facts.ts'
import { failureOf } from './failureOf.ts'
import {
  APPROVAL_FINDINGS,
  approvalDimensionsOf,
  type Findings,
  findingOf,
  hardDimensionsOf,
  MANDATE_FINDINGS,
  NOTHING,
  UNREGISTERED_NOTICE,
} from './findings.ts'

/** Session length in seconds where neither the request nor a boundary names one. */
const SESSION_SECONDS_DEFAULT = 3600

const NO_DIMENSIONS: Decision['approvalDimensions'] = []
const REASONS = ['The request is within the mandate of the agent and the policy of the endpoint.']
const UNREGISTERED_REASONS = [...REASONS, 'The counterparty is not a registered endpoint.']
const APPROVED_REASONS = ['The agent owner approved this request.']

const ACCESS: Record<Exclude<AccessLevel, 'none'>, Access> = {
  restricted: accessOf(
    'restricted',
    'Granted with restricted access: the trust score is not high enough for more.',
  ),
  'read-only': accessOf('read-only', 'Granted.'),
  standard: accessOf('standard', 'Granted.'),
  full: accessOf('full', 'Granted.'),
  internal: accessOf('internal', 'Granted: agent and endpoint have the same owner.'),
}

/** The decision to grant at a level. Without an approval the parts are shared, so nothing is built but the decision itself. */
export function grant(input: VerifiedInput, findings: Findings, level: AccessLevel): Decision {
  const asked = findings & APPROVAL_FINDINGS
  const isUnregistered = (findings & UNREGISTERED_NOTICE) !== 0
  const reasons = isUnregistered ? UNREGISTERED_REASONS : REASONS
  return {
    recommendation: 'grant',
    access: ACCESS[level === 'none' ? 'restricted' : level],
    recommendationReasons: asked === 0 ? reasons : [...APPROVED_REASONS, ...reasons],
    approvalDimensions: asked === 0 ? NO_DIMENSIONS : approvalDimensionsOf(asked),
    needsFreshAssertion: asked !== 0 && needsFreshAssertion(input, asked),
    consumesApproval: asked !== 0,
    countsAgainstAgent: false,
    sessionSeconds: sessionSecondsOf(input),
  }
}

function accessOf(accessLevel: AccessLevel, reason: string): Access {
  return Object.freeze({ allowed: true, accessLevel, reason })
}

/** What was asked for, which both boundaries then allow, else the shortest of what is named. */
function sessionSecondsOf({ agent, endpoint, request }: VerifiedInput): number {
  if (request.sessionDuration !== undefined) return request.sessionDuration
  const max = Math.min(agent.policy.duration.sessionSecondsMax, endpoint.policy.duration.sessionSecondsMax)
  return max === Number.POSITIVE_INFINITY ? SESSION_SECONDS_DEFAULT : max
}

/** The decision to hold the request until the owner has answered: one failure for each dimension asked about. */
export function holdForApproval(input: VerifiedInput, asked: Findings): Decision {
  const approvalDimensions = approvalDimensionsOf(asked)
  const failures = approvalDimensions.map(failureOf)
  return {
    recommendation: 'step_up_required',
    access: {
      allowed: false,
      accessLevel: 'none',
      reason: 'The agent owner has to approve this request.',
      failures,
    },
    recommendationReasons: failures.map((failure) => failure.message),
    approvalDimensions,
    needsFreshAssertion: needsFreshAssertion(input, asked),
    consumesApproval: false,
    countsAgainstAgent: false,
    sessionSeconds: 0,
  }
}

/** The decision to deny: every failed dimension, hard ones first, then those that would ask for approval besides. */
export function deny(findings: Findings): Decision {
  const approvalDimensions = approvalDimensionsOf(findings)
  const hard = hardDimensionsOf(findings).map(failureOf)
  const failures = [...hard, ...approvalDimensions.map(failureOf)]
  return {
    recommendation: 'deny',
    access: {
      allowed: false,
      accessLevel: 'none',
      reason: hard[0]?.message ?? 'Denied.',
      failures,
    },
    recommendationReasons: hard.map((failure) => failure.message),
    approvalDimensions,
    needsFreshAssertion: false,
    consumesApproval: false,
    countsAgainstAgent: (findings & MANDATE_FINDINGS) !== NOTHING,
    sessionSeconds: 0,
  }
}

/**
 * The decision to deny because the owner was asked and said no: the dimensions it was asked about are named again.
 *
 * It does not count against the agent, which stayed within its mandate. Spec: POST /api/agents/verify-access ("a deny …
 * wins over an approval").
 */
export function denyByOwner(asked: Findings): Decision {
  const approvalDimensions = approvalDimensionsOf(asked)
  const reason = 'The agent owner denied this request.'
  return {
    recommendation: 'deny',
    access: { allowed: false, accessLevel: 'none', reason, failures: approvalDimensions.map(failureOf) },
    recommendationReasons: [reason],
    approvalDimensions,
    needsFreshAssertion: false,
    consumesApproval: false,
    countsAgainstAgent: false,
    sessionSeconds: 0,
  }
}

/** Decides on a request that names an agent no one has registered: denied on `agent.identity`, and no session. Spec: Events. */
export function denyUnknownAgent(): Decision {
  return deny(findingOf('agent.identity'))
}

const SPEND = findingOf('commerce.intent.approval_required')

/**
 * Says whether the approval must be a passkey assertion made for it and not merely a recent session.
 *
 * So it is for spend at or above the stepUpThreshold of either boundary. Spec: PDLSS object, stepUpThreshold.
 */
function needsFreshAssertion({ agent, endpoint, request }: VerifiedInput, asked: Findings): boolean {
  if ((asked & SPEND) === 0 || request.transactionValue === undefined) return false
  const from = Math.min(agent.policy.limits.freshThreshold, endpoint.policy.limits.freshThreshold)
  return request.transactionValue >= from
}

/** Says whether the approval handed in was given and covers every dimension asked about: one never covers another. */
export function isApprovalSufficient(input: VerifiedInput, asked: Findings): boolean {
  const { approval } = input
  if (approval === null || !approval.approved) return false
  if (needsFreshAssertion(input, asked) && !approval.isFreshAssertion) return false
  return approvalDimensionsOf(asked).every((dimension) => approval.dimensions.includes(dimension))
}
