import type { Approval } from '@svc/core/contract/approvals.ts'
import { toIsoTime } from '@svc/core/time/toIsoTime.ts'
import type { ApprovalStatus, StoredApproval } from '../../store/approvals/approvalStore.ts'
import type { ApprovalRequest } from './buildApprovalRecord.ts'

/**
 * Shows an approval to the agent’s owner at a point in time. Nothing of the request is masked, unlike in the activity feed,
 * because the owner has to know what the approval is for.
 */
export function toApprovalView(approval: StoredApproval, now: number): Approval {
  const status = resolveApprovalStatus(approval, now)
  const isOpen = status === 'pending' || status === 'approved'
  const request = JSON.parse(approval.request) as ApprovalRequest
  return {
    approvalId: approval.id,
    status,
    agentId: approval.agentId,
    agentName: request.agentName ?? null,
    request,
    dimensions: [...approval.dimensions],
    needsFreshAssertion: approval.needsFreshAssertion,
    attemptId: approval.attemptId,
    createdAt: toIsoTime(approval.createdAt),
    expiresAt: toIsoTime(approval.expiresAt),
    secondsLeft: isOpen ? Math.floor((approval.expiresAt - now) / 1000) : 0,
    decidedAt: toIsoTime(approval.decidedAt),
    consumedAt: toIsoTime(approval.consumedAt),
  }
}

/** An approval as the polling counterparty sees it. */
export type PolledApproval = Pick<
  Approval,
  | 'approvalId'
  | 'status'
  | 'expiresAt'
  | 'createdAt'
  | 'decidedAt'
  | 'consumedAt'
  | 'attemptId'
  | 'dimensions'
>

/** Shows an approval at a point in time to the counterparty that polls it: how it stands, and nothing of the request. */
export function toPolledApproval(approval: StoredApproval, now: number): PolledApproval {
  return {
    approvalId: approval.id,
    status: resolveApprovalStatus(approval, now),
    expiresAt: toIsoTime(approval.expiresAt),
    createdAt: toIsoTime(approval.createdAt),
    decidedAt: toIsoTime(approval.decidedAt),
    consumedAt: toIsoTime(approval.consumedAt),
    attemptId: approval.attemptId,
    dimensions: [...approval.dimensions],
  }
}

/**
 * The status of an approval at a point in time: past its window it is `expired`, even if that has not been written yet or
 * it was approved but not used. The window ends at `expiresAt`, exclusive.
 */
export function resolveApprovalStatus(
  { status, expiresAt }: Pick<StoredApproval, 'status' | 'expiresAt'>,
  now: number,
): ApprovalStatus {
  const isOpen = status === 'pending' || status === 'approved'
  return isOpen && expiresAt <= now ? 'expired' : status
}
