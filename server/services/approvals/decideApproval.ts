import { sha256 } from '@svc/core/hash.ts'
import { apiError } from '../../errors.ts'
import type { AssertionResponse } from '../../external/passkeyCeremonies.ts'
import type { ApprovalStore, StoredApproval } from '../../store/approvals/approvalStore.ts'
import type { AuditRecordStore } from '../../store/audit/auditRecordStore.ts'
import type { Db } from '../../store/database/database.ts'
import { mayWriteFor } from '../mayWriteFor.ts'
import type { VerifyAssertionInput } from '../passkeys/checkAssertion.ts'
import type { SessionPrincipal } from '../principal.ts'
import { type ApprovalView, resolveApprovalStatus, toApprovalView } from './approvalView.ts'
import { buildApprovalRecord, type RecordedApproval } from './buildApprovalRecord.ts'
import { findOwnApproval } from './findOwnApproval.ts'

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
async function decideApproval(
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
    await records.append(trx, buildApprovalRecord(recordedOf(approval), outcome, randomBytes))
    return toApprovalView((await approvals.byId(approval.id, trx)) ?? approval, principal.actsFor, now)
  })
}

function recordedOf(approval: StoredApproval): RecordedApproval {
  return { ...approval, request: JSON.parse(approval.request) }
}

export type ApproveApprovalDeps = DecideApprovalDeps & {
  /** @throws ApiError PASSKEY_REJECTED. */
  verifyAssertion(input: VerifyAssertionInput): Promise<{ credentialId: string }>
}

export type ApproveApprovalInput = {
  principal: SessionPrincipal
  approvalId: string
  response: AssertionResponse
  now: number
}

/**
 * Gives an approval by a passkey assertion made for it; nothing else gives one, no session and no elevation.
 *
 * The assertion itself goes into the record, so that what was agreed to can be shown with the owner's own signature.
 *
 * @throws ApiError NOT_FOUND for one of another owner, FORBIDDEN for who only reads for the owner, INVALID_STATE,
 *   PASSKEY_REJECTED. Source: `Spec: Authentication` 8; `Spec: States and transitions`; api.md.
 */
export async function approveApproval(
  deps: ApproveApprovalDeps,
  { principal, approvalId, response, now }: ApproveApprovalInput,
): Promise<ApprovalView> {
  const approval = await findOwnApproval(deps.approvals, principal, approvalId)
  if (!mayWriteFor(principal, approval.ownerId)) throw apiError('FORBIDDEN')
  if (resolveApprovalStatus(approval, now) !== 'pending') throw apiError('INVALID_STATE')
  const { userId } = principal
  const expectedChallenge = deriveApprovalChallenge(approval)
  const { credentialId } = await deps.verifyAssertion({ userId, response, expectedChallenge, now })
  const { clientDataJSON, authenticatorData, signature } = response.response
  const assertion = { credentialId, clientDataJSON, authenticatorData, signature }
  const evidence = { challengeSalt: approval.challengeSalt, assertion }
  return decideApproval(deps, { approval, principal, decision: 'approve', evidence })
}

/**
 * Denies an approval, pending or approved and not used yet. A session is enough: saying no needs no passkey.
 *
 * @throws ApiError NOT_FOUND for one of another owner, FORBIDDEN for who only reads for the owner, INVALID_STATE.
 * Source: `Spec: POST /api/agents/verify-access` ("a deny … wins over an approval"); api.md.
 */
export async function denyApproval(
  deps: DecideApprovalDeps,
  { principal, approvalId }: { principal: SessionPrincipal; approvalId: string },
): Promise<ApprovalView> {
  const approval = await findOwnApproval(deps.approvals, principal, approvalId)
  if (!mayWriteFor(principal, approval.ownerId)) throw apiError('FORBIDDEN')
  return decideApproval(deps, { approval, principal, decision: 'deny', evidence: {} })
}

/** Keeps the digest apart from every other one the service signs or asks to be signed. */
const DOMAIN = 'SVC-STEP-UP-APPROVAL-V1'

/**
 * The challenge an owner's passkey signs: it stands for this approval, this request and these dimensions, and for
 * nothing else, so an assertion made for anything else never fits.
 *
 * The salt is drawn with the approval and shown to nobody, so the challenge cannot be known before it is asked for.
 * Source: verification.md "Approval"; WebAuthn 3 §13.4.3.
 */
export function deriveApprovalChallenge({
  id,
  requestHash,
  dimensions,
  challengeSalt,
}: Pick<StoredApproval, 'id' | 'requestHash' | 'dimensions' | 'challengeSalt'>): Uint8Array {
  return sha256([DOMAIN, id, requestHash, dimensions.join(','), challengeSalt].join('\n'))
}
