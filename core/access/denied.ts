import type { Decision } from './decision.ts'
import { failureOf } from './failureOf.ts'
import {
  approvalDimensionsIn,
  type Findings,
  hardDimensionsIn,
  MANDATE_FINDINGS,
  NOTHING,
} from './findings.ts'

/** The decision to deny: every failed dimension, hard ones first, then those that would ask for approval besides. */
export function denied(findings: Findings): Decision {
  const approvalDimensions = approvalDimensionsIn(findings)
  const hard = hardDimensionsIn(findings).map(failureOf)
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
