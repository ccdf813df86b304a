import type { Approval } from '@svc/core/contract/approvals.ts'
import type { SessionPrincipal } from '../principal.ts'
import { requireWriter } from '../requireWriter.ts'
import { findOwnApproval } from './findOwnApproval.ts'
import { type StoreDecisionDeps, storeDecision } from './storeDecision.ts'

export type DenyApprovalDeps = StoreDecisionDeps

/**
 * Denies an approval that is pending, or approved and not used yet. A session is sufficient: a denial needs no passkey.
 *
 * @throws ApiError NOT_FOUND for an approval of another owner, INVALID_STATE, as `requireWriter`. Source:
 * `Spec: POST /api/agents/verify-access` ("a deny … wins over an approval").
 */
export async function denyApproval(
  deps: DenyApprovalDeps,
  { principal, approvalId }: { principal: SessionPrincipal; approvalId: string },
): Promise<Approval> {
  const approval = await findOwnApproval(deps.approvals, principal, approvalId)
  requireWriter(principal, approval.ownerId)
  return storeDecision(deps, { approval, principal, decision: 'deny', evidence: {} })
}
