import { apiError } from '../../errors.ts'
import { mayWriteFor } from '../mayWriteFor.ts'
import type { SessionPrincipal } from '../principal.ts'
import type { ApprovalView } from './approvalView.ts'
import { type DecideApprovalDeps, decideApproval } from './decideApproval.ts'
import { findOwnApproval } from './findOwnApproval.ts'

/**
 * Denies an approval, pending or approved and not used yet. A session is enough: saying no needs no passkey.
 *
 * @throws ApiError NOT_FOUND for one of another owner, FORBIDDEN for who only reads for the owner, INVALID_STATE.
 * Source: `Spec: POST /api/agents/verify-access` ("a deny … wins over an approval"); api.md.
 */
export async function denyApproval(
  deps: DecideApprovalDeps,
  { principal, approvalId }: { principal: SessionPrincipal; approvalId: string },
): Promise<ApprovalView> {
  const approval = await findOwnApproval(deps.approvals, principal, approvalId)
  if (!mayWriteFor(principal, approval.ownerId)) throw apiError('FORBIDDEN')
  return decideApproval(deps, { approval, principal, decision: 'deny', evidence: {} })
}
