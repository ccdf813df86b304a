import type { Access, AccessLevel, Decision } from './decision.ts'
import { APPROVAL_FINDINGS, approvalDimensionsIn, type Findings, UNREGISTERED_NOTICE } from './findings.ts'
import { needsFreshAssertion } from './needsFreshAssertion.ts'
import type { VerifiedInput } from './verifiedInput.ts'

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
export function granted(input: VerifiedInput, findings: Findings, level: AccessLevel): Decision {
  const asked = findings & APPROVAL_FINDINGS
  const isUnregistered = (findings & UNREGISTERED_NOTICE) !== 0
  const reasons = isUnregistered ? UNREGISTERED_REASONS : REASONS
  return {
    recommendation: 'grant',
    access: ACCESS[level === 'none' ? 'restricted' : level],
    recommendationReasons: asked === 0 ? reasons : [...APPROVED_REASONS, ...reasons],
    approvalDimensions: asked === 0 ? NO_DIMENSIONS : approvalDimensionsIn(asked),
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
