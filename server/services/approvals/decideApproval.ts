import { apiError } from '../../errors.ts'
import type { ApprovalStore, StoredApproval } from '../../store/approvals/approvalStore.ts'
import type { AuditRecordStore } from '../../store/audit/auditRecordStore.ts'
import type { Db } from '../../store/database/database.ts'
import type { SessionPrincipal } from '../principal.ts'
import { approvalRecord, type RecordedApproval } from './approvalRecord.ts'
import { type ApprovalView, approvalView } from './approvalView.ts'

export type DecideApprovalDeps = {
  db: Pick<Db, 'transaction'>
  approvals: Pick<ApprovalStore, 'byId' | 'approve' | 'deny'>
  records: Pick<AuditRecordStore, 'append'>
  randomBytes: (length: number) => Uint8Array
  clock: () => number
}

type OwnersDecision = {
  approval: StoredApproval
  principal: SessionPrincipal
  decision: 'approve' | 'deny'
  /** What it rests on, kept with its record. */
  evidence: { challengeSalt?: string; assertion?: object }
}

const EVENT_TYPES = { approve: 'approval.approved', deny: 'approval.denied' } as const

/**
 * Writes down what an owner decided, with its record, if the approval still stands where it can be decided.
 *
 * The state is changed by one conditional UPDATE, at the clock of that moment: of two who decide at once the approval
 * goes to `denied` in either order, because a denial also ends an approval that is not used yet.
 *
 * @throws ApiError INVALID_STATE when it was decided, used or ran out meanwhile.
 */
export async function decideApproval(
  deps: DecideApprovalDeps,
  { approval, principal, decision, evidence }: OwnersDecision,
): Promise<ApprovalView> {
  const { approvals, records, randomBytes, clock } = deps
  return deps.db.transaction(async (trx) => {
    const now = clock()
    const { userId } = principal
    const change = { id: approval.id, userId, hasFreshAssertion: evidence.assertion !== undefined, now }
    const isDecided = await approvals[decision](trx, change)
    if (!isDecided) throw apiError('INVALID_STATE')
    const outcome = { eventType: EVENT_TYPES[decision], eventData: { decidedBy: userId }, evidence, now }
    await records.append(trx, approvalRecord(recordedOf(approval), outcome, randomBytes))
    return approvalView((await approvals.byId(approval.id, trx)) ?? approval, principal.actsFor, now)
  })
}

function recordedOf(approval: StoredApproval): RecordedApproval {
  return { ...approval, request: JSON.parse(approval.request) }
}
