import type { ApprovalStore } from '../../store/approvals/approvalStore.ts'
import type { AuditRecordStore } from '../../store/audit/auditRecordStore.ts'
import type { Db } from '../../store/database/database.ts'
import { buildApprovalRecord } from './buildApprovalRecord.ts'

/** Maximum approvals per transaction. */
const EXPIRE_MAX = 100

export type ExpireApprovalsDeps = {
  db: Pick<Db, 'transaction'>
  approvals: Pick<ApprovalStore, 'expire'>
  records: Pick<AuditRecordStore, 'append'>
  randomBytes: (length: number) => Uint8Array
  clock: () => number
}

/**
 * Records approvals that nobody decided in time for both parties; returns their number.
 *
 * It need not be prompt: readers compare the window of an approval with the clock.
 */
export async function expireApprovals(deps: ExpireApprovalsDeps): Promise<number> {
  const { approvals, records, randomBytes } = deps
  const now = deps.clock()
  return deps.db.transaction(async (trx) => {
    const expired = await approvals.expire(trx, now, EXPIRE_MAX)
    for (const approval of expired) {
      const recorded = { ...approval, request: JSON.parse(approval.request) }
      const outcome = { eventType: 'approval.expired', eventData: { cause: 'window_passed' }, now } as const
      await records.append(trx, buildApprovalRecord(recorded, outcome, randomBytes))
    }
    return expired.length
  })
}
