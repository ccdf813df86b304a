import { type Findings, findingOf } from './findings.ts'
import type { VerifiedInput } from './verifiedInput.ts'

const SPEND = findingOf('commerce.intent.approval_required')

/**
 * Says whether the approval must be a passkey assertion made for it and not merely a recent session.
 *
 * So it is for spend at or above the stepUpThreshold of either boundary. Spec: PDLSS object, stepUpThreshold.
 */
export function needsFreshAssertion({ agent, endpoint, request }: VerifiedInput, asked: Findings): boolean {
  if ((asked & SPEND) === 0 || request.transactionValue === undefined) return false
  const from = Math.min(agent.policy.limits.freshThreshold, endpoint.policy.limits.freshThreshold)
  return request.transactionValue >= from
}
