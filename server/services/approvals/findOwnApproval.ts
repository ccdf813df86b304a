import { apiError } from '../../errors.ts'
import type { ApprovalStore, StoredApproval } from '../../store/approvals/approvalStore.ts'
import type { SessionPrincipal } from '../principal.ts'

/** Finds an approval of an owner that the caller acts for. @throws ApiError NOT_FOUND for any other. */
export async function findOwnApproval(
  approvals: Pick<ApprovalStore, 'byId'>,
  principal: SessionPrincipal,
  approvalId: string,
): Promise<StoredApproval> {
  const approval = await approvals.byId(approvalId)
  if (!approval || !principal.actsFor.has(approval.ownerId)) throw apiError('NOT_FOUND')
  return approval
}
