import type { ApprovalStatus, StoredApproval } from '../../store/approvals/approvalStore.ts'

/**
 * Where an approval stands at a moment: one past its window is `expired`, whether or not anything has written that
 * down yet, and also when it was approved and not used. The window ends at `expiresAt` itself.
 */
export function approvalStatusAt(
  { status, expiresAt }: Pick<StoredApproval, 'status' | 'expiresAt'>,
  now: number,
): ApprovalStatus {
  const isOpen = status === 'pending' || status === 'approved'
  return isOpen && expiresAt <= now ? 'expired' : status
}
