import type { Approval } from '@svc/core/contract/approvals.ts'
import type { StandingTerms } from '@svc/core/contract/standingApprovals.ts'
import { sha256 } from '@svc/core/hash.ts'
import { apiError } from '../../errors.ts'
import type { AssertionResponse } from '../../external/passkeyCeremonies.ts'
import type { ApprovalStore, StoredApproval } from '../../store/approvals/approvalStore.ts'
import type { StandingApprovalStore } from '../../store/approvals/standingApprovalStore.ts'
import type { AuditRecordStore } from '../../store/audit/auditRecordStore.ts'
import type { Db } from '../../store/database/database.ts'
import type { VerifyAssertionInput } from '../passkeys/checkAssertion.ts'
import type { SessionPrincipal } from '../principal.ts'
import { requireWriter } from '../requireWriter.ts'
import { resolveApprovalStatus, toApprovalView } from './approvalView.ts'
import { buildApprovalRecord, type RecordedApproval } from './buildApprovalRecord.ts'
import { buildStandingRecord } from './buildStandingRecord.ts'
import { findOwnApproval } from './findOwnApproval.ts'
import { type PreparedStanding, prepareStanding } from './prepareStanding.ts'

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
  evidence: { challengeSalt?: string; assertion?: object; standing?: StandingTerms }
  /** Writes what belongs to the decision, in its transaction. */
  alsoWrite?(trx: Trx, now: number): Promise<void>
}

type Trx = Parameters<ApprovalStore['approve']>[0]

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
  { approval, principal, decision, evidence, alsoWrite }: OwnersDecision,
): Promise<Approval> {
  const { approvals, records, randomBytes, clock } = deps
  return deps.db.transaction(
    async (trx) => {
      const now = clock()
      const { userId } = principal
      const change = { id: approval.id, userId, hasFreshAssertion: evidence.assertion !== undefined, now }
      const isDecided = await approvals[decision](trx, change)
      if (!isDecided) throw apiError('INVALID_STATE')
      await alsoWrite?.(trx, now)
      const outcome = { eventType: EVENT_TYPES[decision], eventData: { decidedBy: userId }, evidence, now }
      await records.append(trx, buildApprovalRecord(recordedOf(approval), outcome, randomBytes))
      return toApprovalView((await approvals.byId(approval.id, trx)) ?? approval, now)
    },
    [`agent ${approval.agentId}`],
  )
}

function recordedOf(approval: StoredApproval): RecordedApproval {
  return { ...approval, request: JSON.parse(approval.request) }
}

export type ApproveApprovalDeps = DecideApprovalDeps & {
  standing: Pick<StandingApprovalStore, 'put' | 'countOfAgent'>
  /** @throws ApiError PASSKEY_REJECTED. */
  verifyAssertion(input: VerifyAssertionInput): Promise<{ credentialId: string }>
}

export type ApproveApprovalInput = {
  principal: SessionPrincipal
  approvalId: string
  response: AssertionResponse
  /** What the owner approves in advance besides; the assertion has to be made for it. */
  standing?: StandingTerms | undefined
  now: number
}

/**
 * Approves a request by a passkey assertion made for this approval; neither a session nor an elevation is sufficient.
 *
 * The assertion becomes part of the record, so that the owner's own signature proves the consent.
 *
 * @throws ApiError NOT_FOUND for an approval of another owner, INVALID_STATE, PASSKEY_REJECTED, as `requireWriter`.
 * Source: `Spec: Authentication` 8; `Spec: States and transitions`.
 */
export async function approveApproval(
  deps: ApproveApprovalDeps,
  { principal, approvalId, response, standing: terms, now }: ApproveApprovalInput,
): Promise<Approval> {
  const approval = await findOwnApproval(deps.approvals, principal, approvalId)
  requireWriter(principal, approval.ownerId)
  if (resolveApprovalStatus(approval, now) !== 'pending') throw apiError('INVALID_STATE')
  const { userId } = principal
  const standing = terms && prepareStanding(approval, terms)
  const expectedChallenge = standing?.challenge ?? deriveApprovalChallenge(approval)
  const { credentialId } = await deps.verifyAssertion({ userId, response, expectedChallenge, now })
  const { clientDataJSON, authenticatorData, signature } = response.response
  const assertion = { credentialId, clientDataJSON, authenticatorData, signature }
  const evidence = { challengeSalt: approval.challengeSalt, assertion, ...(terms && { standing: terms }) }
  const decided = { approval, principal, decision: 'approve', evidence } as const
  if (!standing) return decideApproval(deps, decided)
  const alsoWrite = (trx: Trx, at: number) =>
    storeStanding(deps, { trx, approval, standing, userId, now: at })
  return decideApproval(deps, { ...decided, alsoWrite })
}

/** How many standing approvals of an agent are in force at a time, so that its owner can still overlook them. */
const STANDING_MAX = 100

type NewStanding = {
  trx: Trx
  approval: StoredApproval
  standing: PreparedStanding
  userId: string
  now: number
}

async function storeStanding(
  { standing: store, records, randomBytes }: ApproveApprovalDeps,
  { trx, approval, standing, userId, now }: NewStanding,
): Promise<void> {
  if ((await store.countOfAgent(trx, approval.agentId, now)) >= STANDING_MAX) {
    throw apiError('INVALID_STATE', { message: 'The agent has too many approvals in advance; remove one.' })
  }
  const stored = standing.build({ randomBytes, now })
  await store.put(trx, stored)
  const { agentName } = JSON.parse(approval.request) as RecordedApproval['request']
  const change = { change: 'standing_approval_added', agentName, userId, approvalId: approval.id } as const
  await records.append(trx, buildStandingRecord({ standing: stored, ...change, now }, randomBytes))
}

/**
 * Denies an approval that is pending, or approved and not used yet. A session is sufficient: a denial needs no passkey.
 *
 * @throws ApiError NOT_FOUND for an approval of another owner, INVALID_STATE, as `requireWriter`. Source:
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
