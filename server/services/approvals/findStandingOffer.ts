import { SPEND_APPROVAL } from '@svc/core/access/findings.ts'
import { STANDING_DAYS_MAX, type StandingOffer } from '@svc/core/contract/standingApprovals.ts'
import type { StoredApproval } from '../../store/approvals/approvalStore.ts'
import type { ApprovalRequest } from './buildApprovalRecord.ts'

/** What an owner can approve in advance with an approval, and for which parties. */
export type FoundOffer = StandingOffer & {
  endpointId: string
  counterpartyOwnerId: string
  minIdentityProof: NonNullable<ApprovalRequest['identityProof']>
}

/**
 * Finds what can be approved in advance together with a request; null if it would not let this request pass.
 *
 * That is so if more than the amount is asked, if each such request needs an assertion of its own, if the request proved
 * nothing (whoever names the agent could use up the amount), and if nobody would know the counterparty again.
 */
export function findStandingOffer(approval: StoredApproval): FoundOffer | null {
  const { dimensions, needsFreshAssertion, endpointId, counterpartyOwnerId } = approval
  const request = JSON.parse(approval.request) as ApprovalRequest
  const { transactionValue, currency = null, identityProof = 'none' } = request
  if (dimensions.length !== 1 || dimensions[0] !== SPEND_APPROVAL || transactionValue === undefined)
    return null
  if (needsFreshAssertion || identityProof === 'none') return null
  if (endpointId === null || counterpartyOwnerId === null) return null
  return {
    currency,
    minAmount: transactionValue,
    daysMax: STANDING_DAYS_MAX,
    ...{ endpointId, counterpartyOwnerId, minIdentityProof: identityProof },
  }
}
