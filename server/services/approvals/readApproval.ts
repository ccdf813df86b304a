import type { ApprovalStore } from '../../store/approvals/approvalStore.ts'
import { mayWriteFor } from '../mayWriteFor.ts'
import type { AssertionOptions } from '../passkeys/assertionOptions.ts'
import type { SessionPrincipal } from '../principal.ts'
import { approvalChallenge } from './approvalChallenge.ts'
import { type ApprovalView, approvalView } from './approvalView.ts'
import { findOwnApproval } from './findOwnApproval.ts'

export type ReadApprovalDeps = {
  approvals: Pick<ApprovalStore, 'byId'>
  assertionOptions(input: { userId: string; challenge: Uint8Array }): Promise<AssertionOptions | null>
}

export type ReadApprovalInput = { principal: SessionPrincipal; approvalId: string; now: number }

/** An approval with what the caller's browser needs to give it; null when the caller cannot, or not any more. */
export type ReadApproval = ApprovalView & { assertionOptions: AssertionOptions | null }

/**
 * One approval as its owner sees it.
 *
 * @throws ApiError NOT_FOUND for one of another owner. Source: api.md "Approvals, activity, audit".
 */
export async function readApproval(deps: ReadApprovalDeps, input: ReadApprovalInput): Promise<ReadApproval> {
  const { principal, approvalId, now } = input
  const approval = await findOwnApproval(deps.approvals, principal, approvalId)
  const view = approvalView(approval, principal.actsFor, now)
  const canApprove = view.status === 'pending' && mayWriteFor(principal, approval.ownerId)
  const { userId } = principal
  const challenge = approvalChallenge(approval)
  return {
    ...view,
    assertionOptions: canApprove ? await deps.assertionOptions({ userId, challenge }) : null,
  }
}
