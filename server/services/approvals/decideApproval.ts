import type { Approval } from '@svc/core/contract/approvals.ts'
import { sha256 } from '@svc/core/hash.ts'
import { apiError } from '../../errors.ts'
import type { AssertionResponse } from '../../external/passkeyCeremonies.ts'
import type { ApprovalStore, StoredApproval } from '../../store/approvals/approvalStore.ts'
import type { AuditRecordStore } from '../../store/audit/auditRecordStore.ts'
import type { Db } from '../../store/database/database.ts'
import type { VerifyAssertionInput } from '../passkeys/checkAssertion.ts'
import type { SessionPrincipal } from '../principal.ts'
import { requireWriter } from '../requireWriter.ts'
import { resolveApprovalStatus, toApprovalView } from './approvalView.ts'
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
  /** Evidence that is stored with the record. */
  evidence: { challengeSalt?: string; assertion?: object }
}

const EVENT_TYPES = { approve: 'approval.approved', deny: 'approval.denied' } as const

/**
 * Stores an owner's decision with its record, if the approval can still be decided.
 *
 * One conditional UPDATE changes the state: of two simultaneous decisions, a denial wins in either order, because it also
 * ends an approval that is not used yet.
 *
 * @throws ApiError INVALID_STATE if it was decided, used or expired meanwhile.
 */
async function decideApproval(
  deps: DecideApprovalDeps,
  { approval, principal, decision, evidence }: OwnersDecision,
): Promise<Approval> {
  const { approvals, records, randomBytes, clock } = deps
  return deps.db.transaction(async (trx) => {
    const now = clock()
    const { userId } = principal
    const change = { id: approval.id, userId, hasFreshAssertion: evidence.assertion !== undefined, now }
    const isDecided = await approvals[decision](trx, change)
    if (!isDecided) throw apiError('INVALID_STATE')
    const outcome = { eventType: EVENT_TYPES[decision], eventData: { decidedBy: userId }, evidence, now }
    await records.append(trx, buildApprovalRecord(recordedOf(approval), outcome, randomBytes))
    return toApprovalView((await approvals.byId(approval.id, trx)) ?? approval, now)
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
 * Approves a request by a passkey assertion made for this approval; neither a session nor an elevation is sufficient.
 *
 * The assertion becomes part of the record, so that the owner's own signature proves the consent.
 *
 * @throws ApiError NOT_FOUND for an approval of another owner, FORBIDDEN without write access, INVALID_STATE,
 * PASSKEY_REJECTED. Source: `Spec: Authentication` 8; `Spec: States and transitions`.
 */
export async function approveApproval(
  deps: ApproveApprovalDeps,
  { principal, approvalId, response, now }: ApproveApprovalInput,
): Promise<Approval> {
  const approval = await findOwnApproval(deps.approvals, principal, approvalId)
  requireWriter(principal, approval.ownerId)
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
 * Denies an approval that is pending, or approved and not used yet. A session is sufficient: a denial needs no passkey.
 *
 * @throws ApiError NOT_FOUND for an approval of another owner, FORBIDDEN without write access, INVALID_STATE. Source:
 * `Spec: POST /api/agents/verify-access` ("a deny … wins over an approval").
 */
export async function denyApproval(
  deps: DecideApprovalDeps,
  { principal, approvalId }: { principal: SessionPrincipal; approvalId: string },
): Promise<Approval> {
  const approval = await findOwnApproval(deps.approvals, principal, approvalId)
  requireWriter(principal, approval.ownerId)
  return decideApproval(deps, { approval, principal, decision: 'deny', evidence: {} })
}

/** Separates the digest from all others that the service signs or asks users to sign. */
const DOMAIN = 'SVC-STEP-UP-APPROVAL-V1'

/**
 * Derives the challenge that the owner's passkey signs. It stands for this approval, this request and these dimensions, so
 * that an assertion made for anything else never matches.
 *
 * The random salt is secret until then, so the challenge cannot be known before it is requested. Source: WebAuthn 3
 * §13.4.3.
 */
export function deriveApprovalChallenge({
  id,
  requestHash,
  dimensions,
  challengeSalt,
}: Pick<StoredApproval, 'id' | 'requestHash' | 'dimensions' | 'challengeSalt'>): Uint8Array {
  return sha256([DOMAIN, id, requestHash, dimensions.join(','), challengeSalt].join('\n'))
}
