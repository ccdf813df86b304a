import type { Approval } from '@svc/core/contract/approvals.ts'
import type { StandingTerms } from '@svc/core/contract/standingApprovals.ts'
import { apiError } from '../../errors.ts'
import type { ApprovalStore, StoredApproval } from '../../store/approvals/approvalStore.ts'
import type { AuditRecordStore } from '../../store/audit/auditRecordStore.ts'
import type { WriteAs } from '../accounts/writeAs.ts'
import type { SessionPrincipal } from '../principal.ts'
import { toApprovalView } from './approvalView.ts'
import { buildApprovalRecord, type RecordedApproval } from './buildApprovalRecord.ts'

export type StoreDecisionDeps = {
  approvals: Pick<ApprovalStore, 'byId' | 'approve' | 'deny'>
  records: Pick<AuditRecordStore, 'append'>
  randomBytes: (length: number) => Uint8Array
  clock: () => number
  writeAs: WriteAs
}

type Decision = {
  approval: StoredApproval
  principal: SessionPrincipal
  decision: 'approve' | 'deny'
  /** Evidence that is stored with the record. */
  evidence: { challengeSalt?: string; assertion?: { credentialId: string }; standing?: StandingTerms }
  /** Writes what belongs to the decision, in its transaction. */
  alsoWrite?(trx: Trx, now: number): Promise<void>
}

export type Trx = Parameters<ApprovalStore['approve']>[0]

const EVENT_TYPES = { approve: 'approval.approved', deny: 'approval.denied' } as const

/**
 * Stores an owner's decision with its record, if the approval can still be decided.
 *
 * One conditional UPDATE changes the state: of two simultaneous decisions, a denial wins in either order, because it also
 * ends an approval that is not used yet.
 *
 * @throws ApiError INVALID_STATE if it was decided, used or expired meanwhile; as `writeAs`.
 */
export async function storeDecision(
  deps: StoreDecisionDeps,
  { approval, principal, decision, evidence, alsoWrite }: Decision,
): Promise<Approval> {
  const { approvals, records, randomBytes, clock } = deps
  const writer = { principal, ownerId: approval.ownerId, credentialId: evidence.assertion?.credentialId }
  return deps.writeAs(writer, [`agent ${approval.agentId}`], async (trx) => {
    const { userId } = principal
    const now = clock()
    const change = { id: approval.id, userId, hasFreshAssertion: evidence.assertion !== undefined, now }
    const isDecided = await approvals[decision](trx, change)
    if (!isDecided) throw apiError('INVALID_STATE')
    await alsoWrite?.(trx, now)
    const outcome = { eventType: EVENT_TYPES[decision], eventData: { decidedBy: userId }, evidence, now }
    await records.append(trx, buildApprovalRecord(recordedOf(approval), outcome, randomBytes))
    return toApprovalView((await approvals.byId(approval.id, trx)) ?? approval, now)
  })
}

function recordedOf(approval: StoredApproval): RecordedApproval {
  return { ...approval, request: JSON.parse(approval.request) }
}
