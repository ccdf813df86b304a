import type { ApprovalStatus, ApprovalStore } from '../../store/approvals/approvalStore.ts'
import type { SessionPrincipal } from '../principal.ts'
import { type ApprovalView, approvalView } from './approvalView.ts'

export type ListApprovalsDeps = { approvals: Pick<ApprovalStore, 'listByOwners'> }

export type ListApprovalsInput = {
  principal: SessionPrincipal
  status: ApprovalStatus | undefined
  page: { limit: number; before: number | null }
  now: number
}

/** The approvals asked of the owners the caller acts for, newest first. Source: api.md "Approvals, activity, audit". */
export async function listApprovals(
  deps: ListApprovalsDeps,
  { principal, status, page, now }: ListApprovalsInput,
): Promise<{ items: ApprovalView[]; nextBefore: number | null }> {
  const found = await deps.approvals.listByOwners([...principal.actsFor], { status, now }, page)
  return {
    items: found.items.map((approval) => approvalView(approval, principal.actsFor, now)),
    nextBefore: found.nextBefore,
  }
}
