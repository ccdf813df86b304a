import type { Decision } from '@svc/core/access/decision.ts'
import type { NewAuditRecord } from '../../store/audit/newAuditRecord.ts'
import type { ApprovalState, NewApproval } from '../../store/recorder/recorder.ts'
import { approvalRecord } from '../approvals/approvalRecord.ts'
import { type Asked, recordedApproval } from './stepUpApproval.ts'

type ApprovalMoment = {
  asked: Asked
  decision: Decision
  /** What was found under the attempt id. */
  found: ApprovalState | null
  /** What the owner is asked now. */
  stored: NewApproval | null
}

/**
 * What a verification does to approvals, as records of its own transaction: one is used up, asked for, or replaced by
 * another that asks for more.
 */
export function approvalRecords(
  { randomBytes }: { randomBytes: (length: number) => Uint8Array },
  { asked, decision, found, stored }: ApprovalMoment,
): NewAuditRecord[] {
  const { now } = asked
  const records: NewAuditRecord[] = []
  if (found !== null && decision.consumesApproval) {
    const used = recordedApproval(asked, found)
    records.push(approvalRecord(used, { eventType: 'approval.consumed', now }, randomBytes))
  }
  if (stored === null) return records
  if (found?.status === 'pending') {
    const eventData = { cause: found.expiresAt <= now ? 'window_passed' : 'replaced' }
    const replaced = recordedApproval(asked, found)
    records.push(approvalRecord(replaced, { eventType: 'approval.expired', eventData, now }, randomBytes))
  }
  const request = JSON.parse(stored.request)
  const outcome = { eventType: 'approval.requested', now } as const
  return [...records, approvalRecord({ ...stored, request }, outcome, randomBytes)]
}
