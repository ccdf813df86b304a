import type { Approval, ApprovalCounterparty, ApprovalSpending } from '@svc/core/contract/approvals.ts'
import { apiError } from '../../errors.ts'
import type { ApprovalStatus, ApprovalStore, StoredApproval } from '../../store/approvals/approvalStore.ts'
import type { EndpointStore } from '../../store/endpoints/endpointStore.ts'
import { mayWriteFor } from '../mayWriteFor.ts'
import type { AssertionOptions } from '../passkeys/checkAssertion.ts'
import type { ApiKeyPrincipal, SessionPrincipal } from '../principal.ts'
import { resolveApprovalStatus, toApprovalView } from './approvalView.ts'
import { deriveApprovalChallenge } from './decideApproval.ts'
import { describeCounterparty } from './describeCounterparty.ts'
import { findOwnApproval } from './findOwnApproval.ts'
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
    assertionOptions: canApprove ? await deps.assertionOptions({ userId, challenge }) : null,
  }
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

/** An approval as the polling counterparty sees it. */
export type PolledApproval = StoredApproval

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
  return { ...approval, status: resolveApprovalStatus(approval, input.now) }
}

/** Approvals older than the column of the counterparty's owner can be polled by the key that received them. */
function mayPoll(
  { apiKeyId, counterpartyOwnerId }: StoredApproval,
  { keyId, actsFor }: ApiKeyPrincipal,
): boolean {
  return counterpartyOwnerId === null ? apiKeyId === keyId : actsFor.has(counterpartyOwnerId)
}
