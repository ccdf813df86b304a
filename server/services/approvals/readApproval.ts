import type { Approval, ApprovalCounterparty, ApprovalSpending } from '@svc/core/contract/approvals.ts'
import type { StandingOffer, StandingTerms } from '@svc/core/contract/standingApprovals.ts'
import { apiError } from '../../errors.ts'
import type { ApprovalStatus, ApprovalStore, StoredApproval } from '../../store/approvals/approvalStore.ts'
import type { EndpointStore } from '../../store/endpoints/endpointStore.ts'
import { mayWriteFor } from '../mayWriteFor.ts'
import type { AssertionOptions } from '../passkeys/checkAssertion.ts'
import type { ApiKeyPrincipal, SessionPrincipal } from '../principal.ts'
import { requireWriter } from '../requireWriter.ts'
import {
  type PolledApproval,
  resolveApprovalStatus,
  toApprovalView,
  toPolledApproval,
} from './approvalView.ts'
import { deriveApprovalChallenge } from './deriveApprovalChallenge.ts'
import { describeCounterparty } from './describeCounterparty.ts'
import { findOwnApproval } from './findOwnApproval.ts'
import { findStandingOffer } from './findStandingOffer.ts'
import { prepareStanding } from './prepareStanding.ts'
import { type ReadSpendingDeps, readSpending } from './readSpending.ts'

export type ReadApprovalDeps = ReadSpendingDeps & {
  approvals: Pick<ApprovalStore, 'byId'>
  endpoints: Pick<EndpointStore, 'byAnyId'>
  assertionOptions(input: { userId: string; challenge: Uint8Array }): Promise<AssertionOptions | null>
}

export type ReadApprovalInput = { principal: SessionPrincipal; approvalId: string; now: number }

export type ReadApproval = Approval & {
  counterparty: ApprovalCounterparty
  /** Null while the sums are not up to date. */
  spending: ApprovalSpending | null
  /** What can be approved in advance; null if nothing, or if the caller cannot approve. */
  standingOffer: StandingOffer | null
  /** For the passkey; null if the caller cannot approve it, or no longer. */
  assertionOptions: AssertionOptions | null
}

/**
 * Returns an approval with all that its owner needs to decide: the counterparty, and what the agent has spent there and in
 * all. @throws ApiError NOT_FOUND for one of another owner.
 */
export async function readApproval(deps: ReadApprovalDeps, input: ReadApprovalInput): Promise<ReadApproval> {
  const { principal, approvalId, now } = input
  const approval = await findOwnApproval(deps.approvals, principal, approvalId)
  const view = toApprovalView(approval, now)
  const canApprove = view.status === 'pending' && mayWriteFor(principal, approval.ownerId)
  const { userId } = principal
  const challenge = deriveApprovalChallenge(approval)
  return {
    ...view,
    counterparty: await describeCounterparty(deps.endpoints, approval),
    spending: await readSpending(deps, approval, now),
    standingOffer: canApprove ? toOffer(approval) : null,
    assertionOptions: canApprove ? await deps.assertionOptions({ userId, challenge }) : null,
  }
}

function toOffer(approval: StoredApproval): StandingOffer | null {
  const offer = findStandingOffer(approval)
  if (offer === null) return null
  const { currency, minAmount, daysMax } = offer
  return { currency, minAmount, daysMax }
}

export type CreateStandingOptionsDeps = Pick<ReadApprovalDeps, 'approvals' | 'assertionOptions'>

/**
 * Creates the options with which the owner's passkey approves a request together with further ones in advance; null if the
 * account has no passkey.
 *
 * @throws ApiError NOT_FOUND for an approval of another owner, INVALID_STATE, as `requireWriter`, and as `prepareStanding`.
 */
export async function createStandingOptions(
  deps: CreateStandingOptionsDeps,
  { principal, approvalId, standing, now }: ReadApprovalInput & { standing: StandingTerms },
): Promise<AssertionOptions | null> {
  const approval = await findOwnApproval(deps.approvals, principal, approvalId)
  requireWriter(principal, approval.ownerId)
  if (resolveApprovalStatus(approval, now) !== 'pending') throw apiError('INVALID_STATE')
  const { challenge } = prepareStanding(approval, standing)
  return deps.assertionOptions({ userId: principal.userId, challenge })
}

export type ListApprovalsDeps = { approvals: Pick<ApprovalStore, 'listByOwners'> }

export type ListApprovalsInput = {
  principal: SessionPrincipal
  status: ApprovalStatus | undefined
  page: { limit: number; before: number | null }
  now: number
}

/** Lists the approvals of the owners that the caller acts for, newest first. */
export async function listApprovals(
  deps: ListApprovalsDeps,
  { principal, status, page, now }: ListApprovalsInput,
): Promise<{ items: Approval[]; nextBefore: number | null }> {
  const found = await deps.approvals.listByOwners([...principal.actsFor], { status, now }, page)
  return {
    items: found.items.map((approval) => toApprovalView(approval, now)),
    nextBefore: found.nextBefore,
  }
}

export type PollApprovalDeps = { approvals: Pick<ApprovalStore, 'byId'> }

export type PollApprovalInput = { principal: ApiKeyPrincipal; approvalId: string; now: number }

/**
 * Returns the status of an approval to any API key of the account whose key requested it.
 *
 * A pending approval past its window reads as `expired`, even if that has not been written yet.
 *
 * @throws ApiError NOT_FOUND, also for keys of other accounts. Source: `Spec: GET /api/step-up-approvals/poll/{approvalId}`.
 */
export async function pollApproval(
  deps: PollApprovalDeps,
  input: PollApprovalInput,
): Promise<PolledApproval> {
  const approval = await deps.approvals.byId(input.approvalId)
  if (!approval || !mayPoll(approval, input.principal)) throw apiError('NOT_FOUND')
  return toPolledApproval(approval, input.now)
}

/** Approvals older than the column of the counterparty's owner can be polled by the key that received them. */
function mayPoll(
  { apiKeyId, counterpartyOwnerId }: StoredApproval,
  { keyId, actsFor }: ApiKeyPrincipal,
): boolean {
  return counterpartyOwnerId === null ? apiKeyId === keyId : actsFor.has(counterpartyOwnerId)
}
