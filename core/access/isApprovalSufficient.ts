import { approvalDimensionsIn, type Findings } from './findings.ts'
import { needsFreshAssertion } from './needsFreshAssertion.ts'
import type { VerifiedInput } from './verifiedInput.ts'

/** Says whether the approval handed in was given and covers every dimension asked about: one never covers another. */
export function isApprovalSufficient(input: VerifiedInput, asked: Findings): boolean {
  const { approval } = input
  if (approval === null || !approval.approved) return false
  if (needsFreshAssertion(input, asked) && !approval.isFreshAssertion) return false
  return approvalDimensionsIn(asked).every((dimension) => approval.dimensions.includes(dimension))
}
