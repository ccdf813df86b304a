import type { StandingTerms } from '@svc/core/contract/standingApprovals.ts'
import { addDecimals } from '@svc/core/decimal.ts'
import { sha256 } from '@svc/core/hash.ts'
import { generateUuidV4 } from '@svc/core/ids/uuids.ts'
import { apiError, validationError } from '../../errors.ts'
import type { StoredApproval } from '../../store/approvals/approvalStore.ts'
import type { StoredStanding } from '../../store/approvals/standingApprovalStore.ts'
import { findStandingOffer } from './findStandingOffer.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/** What is approved in advance together with an approval. */
export type PreparedStanding = {
  terms: StandingTerms
  /** The bytes that the owner's passkey signs; they cover the request and the terms. */
  challenge: Uint8Array
  /** Builds the standing approval of an owner who decides at a time. */
  build(input: { randomBytes: (length: number) => Uint8Array; now: number }): StoredStanding
}

/**
 * Checks what an owner wants to approve in advance. The request at hand counts first, because its approval lets it pass
 * without asking the standing one.
 *
 * @throws ApiError INVALID_STATE if nothing can be approved in advance here, VALIDATION_ERROR for less than the request.
 */
export function prepareStanding(approval: StoredApproval, terms: StandingTerms): PreparedStanding {
  const offer = findStandingOffer(approval)
  if (offer === null) {
    throw apiError('INVALID_STATE', { message: 'Each request like this has to be approved by itself.' })
  }
  const { endpointId, counterpartyOwnerId, minIdentityProof, minAmount } = offer
  if (terms.amount < minAmount) {
    const message = 'expected at least the amount of the request'
    throw validationError([{ pointer: '/standing/amount', code: 'too_small', message }])
  }
  const { agentId, ownerId } = approval
  const amount = addDecimals(0, terms.amount)
  return {
    terms,
    challenge: deriveStandingChallenge(approval, { amount, days: terms.days, minIdentityProof }),
    build: ({ randomBytes, now }) => ({
      id: generateUuidV4(randomBytes(16)),
      ...{ agentId, ownerId, endpointId, counterpartyOwnerId, minIdentityProof },
      currency: offer.currency ?? '',
      amount,
      used: addDecimals(0, minAmount),
      createdAt: now,
      expiresAt: now + terms.days * DAY_MS,
    }),
  }
}

/** Separates the digest from that of an approval without terms. */
const DOMAIN = 'SVC-STANDING-APPROVAL-V1'

type SignedTerms = { amount: string; days: number; minIdentityProof: string }

/**
 * Derives the challenge for an approval with terms. The hash of the request covers agent, counterparty and currency, so an
 * assertion made for one agent, counterparty, amount or time approves no other.
 */
function deriveStandingChallenge(
  { id, requestHash, dimensions, challengeSalt }: StoredApproval,
  { amount, days, minIdentityProof }: SignedTerms,
): Uint8Array {
  const parts = [DOMAIN, id, requestHash, dimensions.join(','), challengeSalt, amount, days, minIdentityProof]
  return sha256(parts.join('\n'))
}
