import type { ApprovalStatus, StoredApproval } from '../../store/approvals/approvalStore.ts'
import type { ApprovalRequest } from './buildApprovalRecord.ts'

/** An approval as the agent's owner sees it. */
export type ApprovalView = {
  approvalId: string
  status: ApprovalStatus
  agentId: string
  agentName: string | null
  /** What is held, by the names it was asked under. */
  request: ApprovalRequest
  dimensions: readonly string[]
  /** Spend at or above the stepUpThreshold; every approval is a fresh assertion anyway. */
  needsFreshAssertion: boolean
  attemptId: string
  createdAt: string
  expiresAt: string
  /** Whole seconds in which it can still be decided or used; 0 when it cannot. */
  secondsLeft: number
  decidedAt: string | null
  consumedAt: string | null
}

/**
 * Shows an approval as it stands at a moment.
 *
 * Of an endpoint of another account the agent's owner sees identifier and type, here as in the feed of events.
 *
 * @param actsFor Owner identifiers the viewer speaks for.
 * Source: api.md "Approvals, activity, audit"; `Spec: Activity views`.
 */
export function toApprovalView(
  approval: StoredApproval,
  actsFor: ReadonlySet<string>,
  now: number,
): ApprovalView {
  const status = resolveApprovalStatus(approval, now)
  const isOpen = status === 'pending' || status === 'approved'
  const request = redactRequest(approval, actsFor)
  return {
    approvalId: approval.id,
    status,
    agentId: approval.agentId,
    agentName: request.agentName ?? null,
    request,
    dimensions: approval.dimensions,
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
 * Where an approval stands at a moment: one past its window is `expired`, whether or not anything has written that
 * down yet, and also when it was approved and not used. The window ends at `expiresAt` itself.
 */
export function resolveApprovalStatus(
  { status, expiresAt }: Pick<StoredApproval, 'status' | 'expiresAt'>,
  now: number,
): ApprovalStatus {
  const isOpen = status === 'pending' || status === 'approved'
  return isOpen && expiresAt <= now ? 'expired' : status
}
