import { requiredScore, resolveAccessLevel } from './accessLevel.ts'
import { checkCertifications } from './checks/checkCertifications.ts'
import { checkCounterparty } from './checks/checkCounterparty.ts'
import { checkDuration } from './checks/checkDuration.ts'
import { checkPurpose } from './checks/checkPurpose.ts'
import { checkScope } from './checks/checkScope.ts'
import { checkSelfInstantiation } from './checks/checkSelfInstantiation.ts'
import { checkSpend } from './checks/checkSpend.ts'
import { checkStanding } from './checks/checkStanding.ts'
import type { Decision } from './decision.ts'
import type { VerifiedInput } from './facts.ts'
import { APPROVAL_FINDINGS, findingOf, HARD_FINDINGS, NOTHING } from './findings.ts'
import { denied, granted, isApprovalSufficient, refused, steppedUp } from './outcomes.ts'

const ALLOWLIST = findingOf('counterparty.allowlist')
const TRUST = findingOf('trust.score')

/**
 * Decides on a request of a registered agent.
 *
 * Every dimension is evaluated, so that one answer lists every failure. Then a hard failure denies, whatever was approved; else a
 * dimension that asks for approval steps up, unless the approval handed in covers every such dimension, or denies when the
 * owner has said no; else it is a grant. Pure,
 * synchronous and without exceptions: it is called inside the recorder's transaction. Spec: POST /api/agents/verify-access.
 */
export function decideVerified(input: VerifiedInput): Decision {
  const required = requiredScore(input)
  const level = resolveAccessLevel(input, required ?? input.endpoint.trustScoreRequirement)
  const findings =
    checkStanding(input) |
    (level === 'none' ? TRUST : NOTHING) |
    (required === undefined ? ALLOWLIST : NOTHING) |
    checkCounterparty(input) |
    checkPurpose(input) |
    checkDuration(input) |
    checkSpend(input) |
    checkScope(input) |
    checkSelfInstantiation(input) |
    checkCertifications(input)

  if ((findings & HARD_FINDINGS) !== 0) return denied(findings)
  const asked = findings & APPROVAL_FINDINGS
  if (asked !== 0 && input.approval?.denied) return refused(asked)
  if (asked !== 0 && !isApprovalSufficient(input, asked)) return steppedUp(input, asked)
  return granted(input, findings, level)
}
