import { isAgentIdentifier } from '../ids/identifiers.ts'
import type { Access, AccessFailure, AccessLevel, Decision } from './decision.ts'
import type { VerifiedInput } from './facts.ts'
import type { FailureCause, FailureCauses } from './failureCauses.ts'
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
import { determineIdentityProof, isProofSufficient } from './identityProof.ts'
import { resolveFreshFrom } from './spendThresholds.ts'
import { coversSpend } from './standingApproval.ts'
import type { VerificationRequest } from './verificationRequest.ts'

/** Session length in seconds when neither the request nor a boundary states one. */
const SESSION_SECONDS_DEFAULT = 3600

const NO_DIMENSIONS: Decision['approvalDimensions'] = []
const REASONS = ['The request is within the mandate of the agent and the policy of the endpoint.']
const UNREGISTERED_REASONS = [...REASONS, 'The counterparty is not a registered endpoint.']
const APPROVED_REASONS = ['The agent owner approved this request.']
const STANDING_REASONS = ['The agent owner approved spending at this counterparty in advance.']

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

/**
 * Grants access at a level. Without an approval all parts are shared constants, so only the decision itself is allocated.
 *
 * @param isStanding Whether what the findings ask of the owner was approved in advance.
 */
export function grant(
  input: VerifiedInput,
  findings: Findings,
  level: AccessLevel,
  isStanding = false,
): Decision {
  const toApprove = findings & APPROVAL_FINDINGS
  const approved = isStanding ? STANDING_REASONS : APPROVED_REASONS
  const isUnregistered = (findings & UNREGISTERED_NOTICE) !== 0
  const reasons = isUnregistered ? UNREGISTERED_REASONS : REASONS
  return {
    recommendation: 'grant',
    access: ACCESS[level === 'none' ? 'restricted' : level],
    recommendationReasons: toApprove === 0 ? reasons : [...approved, ...reasons],
    approvalDimensions: toApprove === 0 ? NO_DIMENSIONS : approvalDimensionsOf(toApprove),
    needsFreshAssertion: toApprove !== 0 && needsFreshAssertion(input, toApprove),
    consumesApproval: input.approval?.approved === true && provesWhatWasHeld(input),
    usesStandingApproval: isStanding,
    countsAgainstAgent: false,
    sessionSeconds: sessionSecondsOf(input),
  }
}

function accessOf(accessLevel: AccessLevel, reason: string): Access {
  return Object.freeze({ allowed: true, accessLevel, reason })
}

/** The requested length, which both boundaries were found to allow, otherwise the shorter of their maxima. */
function sessionSecondsOf({ agent, endpoint, request }: VerifiedInput): number {
  if (request.sessionDuration !== undefined) return request.sessionDuration
  const max = Math.min(agent.policy.duration.sessionSecondsMax, endpoint.policy.duration.sessionSecondsMax)
  return max === Number.POSITIVE_INFINITY ? SESSION_SECONDS_DEFAULT : max
}

/** Holds the request for the owner's approval, with one failure for each dimension that needs it. */
export function holdForApproval(input: VerifiedInput, toApprove: Findings): Decision {
  const approvalDimensions = approvalDimensionsOf(toApprove)
  const failures = failuresOf(approvalDimensions)
  return {
    recommendation: 'step_up_required',
    access: {
      allowed: false,
      accessLevel: 'none',
      reason: 'The agent owner must approve this request.',
      failures,
    },
    recommendationReasons: failures.map((failure) => failure.message),
    approvalDimensions,
    needsFreshAssertion: needsFreshAssertion(input, toApprove),
    consumesApproval: false,
    usesStandingApproval: false,
    countsAgainstAgent: false,
    sessionSeconds: 0,
  }
}

function failuresOf(dimensions: Decision['approvalDimensions'], cause?: FailureCause): AccessFailure[] {
  return dimensions.map((dimension) => failureOf(dimension, cause))
}

const CHALLENGE = findingOf('runtime.challenge')

/**
 * Denies with every failed dimension: hard failures first, then those that would need approval.
 *
 * @param isProven Whether the agent sent the request, as far as is known; only then do failures count against it.
 * @param causes Why dimensions failed, where that may be told. A challenge that was not passed because none was sent
 *   (`withheld`) never counts.
 */
export function deny(findings: Findings, isProven = true, causes: FailureCauses = {}): Decision {
  const approvalDimensions = approvalDimensionsOf(findings)
  const hard = hardDimensionsOf(findings).map((dimension) => failureOf(dimension, causes[dimension]))
  const counted = causes['runtime.challenge'] === 'withheld' ? findings & ~CHALLENGE : findings
  const failures = [...hard, ...failuresOf(approvalDimensions, 'not_asked')]
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
    usesStandingApproval: false,
    countsAgainstAgent: isProven && (counted & MANDATE_FINDINGS) !== NOTHING,
    sessionSeconds: 0,
  }
}

/**
 * Denies because the owner denied the approval, with the dimensions that needed it.
 *
 * This does not count against the agent, which stayed within its mandate. Spec: POST /api/agents/verify-access ("a deny …
 * wins over an approval").
 */
export function denyByOwner(toApprove: Findings): Decision {
  const approvalDimensions = approvalDimensionsOf(toApprove)
  const reason = 'The agent owner denied this request.'
  return {
    recommendation: 'deny',
    access: {
      allowed: false,
      accessLevel: 'none',
      reason,
      failures: failuresOf(approvalDimensions, 'denied_by_owner'),
    },
    recommendationReasons: [reason],
    approvalDimensions,
    needsFreshAssertion: false,
    consumesApproval: false,
    usesStandingApproval: false,
    countsAgainstAgent: false,
    sessionSeconds: 0,
  }
}

/**
 * Reduces the decision on a dry run to whether the request would be granted now, for anyone but the agent's owner.
 *
 * What would be held is denied, and whatever failed shows as `mandate`: each dimension would give away a part of the
 * boundary. A notice, an approval and the length of the session would as well.
 */
export function tellOutcomeOnly(decision: Decision): Decision {
  if (decision.recommendation !== 'grant') return deny(findingOf('mandate'), false)
  return {
    ...decision,
    recommendationReasons: REASONS,
    approvalDimensions: NO_DIMENSIONS,
    needsFreshAssertion: false,
    sessionSeconds: 0,
  }
}

/**
 * Denies a request that names an unregistered agent, on `agent.identity`.
 *
 * It tells a malformed identifier from an unknown one, which is public anyway. Of third-party credentials it tells nothing,
 * so that nobody learns which of several is unknown. Spec: Events.
 */
export function denyUnknownAgent({ agentId, credentials = [] }: Named = {}): Decision {
  const isNamed = agentId !== undefined && credentials.length === 0
  if (!isNamed) return deny(IDENTITY, false)
  const cause = isAgentIdentifier(agentId) ? 'unknown_agent' : 'malformed'
  return deny(IDENTITY, false, { 'agent.identity': cause })
}

const IDENTITY = findingOf('agent.identity')

type Named = Partial<Pick<VerificationRequest, 'agentId' | 'credentials'>>

const SPEND = findingOf('commerce.intent.approval_required')

/**
 * Whether the approval must be a passkey assertion made for it, and not merely rest on a recent session.
 *
 * That is required for spend at or above the stepUpThreshold of either boundary. Spec: PDLSS object, stepUpThreshold.
 */
function needsFreshAssertion({ agent, endpoint, request }: VerifiedInput, toApprove: Findings): boolean {
  if ((toApprove & SPEND) === 0 || request.transactionValue === undefined) return false
  return request.transactionValue >= resolveFreshFrom(agent, endpoint)
}

/** Whether the owner gave the approval, in the form required, and it covers every dimension that needs one. */
export function isApprovalSufficient(input: VerifiedInput, toApprove: Findings): boolean {
  const { approval } = input
  if (approval === null || !approval.approved) return false
  if (needsFreshAssertion(input, toApprove) && !approval.isFreshAssertion) return false
  return approvalDimensionsOf(toApprove).every((dimension) => approval.dimensions.includes(dimension))
}

/**
 * Whether the owner approved the spend in advance, and is asked about nothing else.
 *
 * It replaces neither an assertion made for the request, from the stepUpThreshold on, nor the answer to an approval that
 * was requested for this attempt.
 */
export function isStandingApprovalSufficient(input: VerifiedInput, toApprove: Findings): boolean {
  const { standingApproval, approval, request, now } = input
  const value = request.transactionValue
  if (standingApproval === undefined || value === undefined || toApprove !== SPEND) return false
  if (approval !== null || needsFreshAssertion(input, toApprove)) return false
  return coversSpend(standingApproval, { value, identityProof: determineIdentityProof(input), now })
}

/**
 * Whether the request proves at least what the one proved that the owner was asked about. Otherwise whoever learns of an
 * attempt could use what was approved for its agent. It is not held again, because that would replace the approval.
 */
export function provesWhatWasHeld(input: VerifiedInput): boolean {
  const required = input.approval?.minIdentityProof
  if (required === undefined || input.proof === undefined) return true
  return isProofSufficient(determineIdentityProof(input), required)
}
