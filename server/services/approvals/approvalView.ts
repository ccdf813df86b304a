import type { Approval } from '@svc/core/contract/approvals.ts'
import type { ApprovalStatus, StoredApproval } from '../../store/approvals/approvalStore.ts'
import type { ApprovalRequest } from './buildApprovalRecord.ts'

/**
 * Shows an approval at a point in time.
 *
 * Of another account's endpoint, the agent's owner sees only identifier and type, as in the activity feed.
 *
 * @param actsFor Owner identifiers of the viewer. Source: `Spec: Activity views`.
 */
export function toApprovalView(
  approval: StoredApproval,
  actsFor: ReadonlySet<string>,
  now: number,
): Approval {
  const status = resolveApprovalStatus(approval, now)
  const isOpen = status === 'pending' || status === 'approved'
  const request = redactRequest(approval, actsFor)
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
    decidedAt: approval.decidedAt === null ? null : toIsoTime(approval.decidedAt),
    consumedAt: approval.consumedAt === null ? null : toIsoTime(approval.consumedAt),
  }
}

function redactRequest(approval: StoredApproval, actsFor: ReadonlySet<string>): ApprovalRequest {
  const request = JSON.parse(approval.request) as ApprovalRequest
  const { counterpartyOwnerId } = approval
  const { counterpartyUrl, endpointTier, ...masked } = request
  const isOwn = counterpartyOwnerId !== null && actsFor.has(counterpartyOwnerId)
  return isOwn || endpointTier === 'discovered' || endpointTier === 'unknown' ? request : masked
}

function toIsoTime(epochMs: number): string {
  return new Date(epochMs).toISOString()
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
