import type { Decision } from './decision.ts'
import { failureOf } from './failureOf.ts'
import { approvalDimensionsIn, type Findings } from './findings.ts'
import { needsFreshAssertion } from './needsFreshAssertion.ts'
import type { VerifiedInput } from './verifiedInput.ts'

/** The decision to hold the request until the owner has answered: one failure for each dimension asked about. */
export function steppedUp(input: VerifiedInput, asked: Findings): Decision {
  const approvalDimensions = approvalDimensionsIn(asked)
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
