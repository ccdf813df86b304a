import type { Approval } from '@svc/core/contract/approvals.ts'
import type { StandingTerms } from '@svc/core/contract/standingApprovals.ts'
import { apiError } from '../../errors.ts'
import type { AssertionResponse } from '../../external/passkeyCeremonies.ts'
import type { StoredApproval } from '../../store/approvals/approvalStore.ts'
import type { StandingApprovalStore } from '../../store/approvals/standingApprovalStore.ts'
import type { VerifyAssertionInput } from '../passkeys/checkAssertion.ts'
import type { SessionPrincipal } from '../principal.ts'
import { requireWriter } from '../requireWriter.ts'
import { resolveApprovalStatus } from './approvalView.ts'
import type { RecordedApproval } from './buildApprovalRecord.ts'
import { buildStandingRecord } from './buildStandingRecord.ts'
import { deriveApprovalChallenge } from './deriveApprovalChallenge.ts'
import { findOwnApproval } from './findOwnApproval.ts'
import { type PreparedStanding, prepareStanding } from './prepareStanding.ts'
import { type StoreDecisionDeps, storeDecision, type Trx } from './storeDecision.ts'

export type ApproveApprovalDeps = StoreDecisionDeps & {
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
 * @throws ApiError NOT_FOUND for an approval of another owner, INVALID_STATE, PASSKEY_REJECTED, as `requireWriter`. Source:
 * `Spec: Authentication` 8; `Spec: States and transitions`.
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
  if (!standing) return storeDecision(deps, decided)
  const alsoWrite = (trx: Trx, at: number) =>
    storeStanding(deps, { trx, approval, standing, userId, now: at })
  return storeDecision(deps, { ...decided, alsoWrite })
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
