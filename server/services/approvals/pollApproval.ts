import { apiError } from '../../errors.ts'
import type { ApprovalStore, StoredApproval } from '../../store/approvals/approvalStore.ts'
import type { ApiKeyPrincipal } from '../principal.ts'
import { approvalStatusAt } from './approvalStatusAt.ts'

export type PollApprovalDeps = { approvals: Pick<ApprovalStore, 'byId'> }

/** An approval as its poller sees it. */
export type PolledApproval = StoredApproval

export type PollApprovalInput = { principal: ApiKeyPrincipal; approvalId: string; now: number }

/**
 * Where an approval stands, for the API key that got it and for no other.
 *
 * A pending one past its window reads as `expired`, whether or not anything has written that down yet.
 *
 * @throws ApiError NOT_FOUND. Source: `Spec: GET /api/step-up-approvals/poll/{approvalId}`; api.md.
 */
export async function pollApproval(
  deps: PollApprovalDeps,
  input: PollApprovalInput,
): Promise<PolledApproval> {
  const approval = await deps.approvals.byId(input.approvalId)
  if (!approval || approval.apiKeyId !== input.principal.keyId) throw apiError('NOT_FOUND')
  return { ...approval, status: approvalStatusAt(approval, input.now) }
}
