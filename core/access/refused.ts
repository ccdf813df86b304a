import type { Decision } from './decision.ts'
import { failureOf } from './failureOf.ts'
import { approvalDimensionsIn, type Findings } from './findings.ts'

/**
 * The decision to deny because the owner was asked and said no: the dimensions it was asked about are named again.
 *
 * It does not count against the agent, which stayed within its mandate. Spec: POST /api/agents/verify-access ("a deny …
 * wins over an approval").
 */
export function refused(asked: Findings): Decision {
  const approvalDimensions = approvalDimensionsIn(asked)
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
