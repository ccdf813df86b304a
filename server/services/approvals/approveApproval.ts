import { apiError } from '../../errors.ts'
import type { AssertionResponse } from '../../external/passkeyCeremonies.ts'
import { mayWriteFor } from '../mayWriteFor.ts'
import type { VerifyAssertionInput } from '../passkeys/verifyAssertion.ts'
import type { SessionPrincipal } from '../principal.ts'
import { approvalChallenge } from './approvalChallenge.ts'
import { approvalStatusAt } from './approvalStatusAt.ts'
import type { ApprovalView } from './approvalView.ts'
import { type DecideApprovalDeps, decideApproval } from './decideApproval.ts'
import { findOwnApproval } from './findOwnApproval.ts'

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
  if (approvalStatusAt(approval, now) !== 'pending') throw apiError('INVALID_STATE')
  const { userId } = principal
  const expectedChallenge = approvalChallenge(approval)
  const { credentialId } = await deps.verifyAssertion({ userId, response, expectedChallenge, now })
  const { clientDataJSON, authenticatorData, signature } = response.response
  const assertion = { credentialId, clientDataJSON, authenticatorData, signature }
  const evidence = { challengeSalt: approval.challengeSalt, assertion }
  return decideApproval(deps, { approval, principal, decision: 'approve', evidence })
}
