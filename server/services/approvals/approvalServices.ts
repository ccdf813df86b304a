import type { ApprovalView } from './approvalView.ts'
import type { ApproveApprovalInput } from './approveApproval.ts'
import type { denyApproval } from './denyApproval.ts'
import type { ListApprovalsInput } from './listApprovals.ts'
import type { PollApprovalInput, PolledApproval } from './pollApproval.ts'
import type { ReadApproval, ReadApprovalInput } from './readApproval.ts'

/** The use cases around step-up approvals, with their dependencies bound. */
export type ApprovalServices = {
  poll(input: PollApprovalInput): Promise<PolledApproval>
  list(input: ListApprovalsInput): Promise<{ items: ApprovalView[]; nextBefore: number | null }>
  read(input: ReadApprovalInput): Promise<ReadApproval>
  approve(input: ApproveApprovalInput): Promise<ApprovalView>
  deny(input: Parameters<typeof denyApproval>[1]): Promise<ApprovalView>
}
