import type { RegistrationRequest } from '@svc/core/contract/registrationRequests.ts'
import { sha256Hex } from '@svc/core/hash.ts'
import { apiError } from '../../errors.ts'
import type { UserStore } from '../../store/accounts/userStore.ts'
import type { RegistrationRequestStore } from '../../store/approvals/registrationRequestStore.ts'
import type { Db } from '../../store/database/database.ts'
import type { SessionPrincipal } from '../principal.ts'
import { toRegistrationRequestView } from './registrationRequestView.ts'

export type ClaimRegistrationRequestDeps = {
  db: Pick<Db, 'transaction'>
  requests: Pick<RegistrationRequestStore, 'byId' | 'claim'>
  users: Pick<UserStore, 'byId' | 'verifyEmail'>
  /** Called when the inputs of the trust score have changed for an account. */
  onAccountChanged(userId: string): Promise<void>
}

export type ClaimRegistrationRequestInput = {
  principal: SessionPrincipal
  requestId: string
  token: string
  now: number
}

/**
 * Accepts the mailed token as proof that the caller received an outreach; from then on the request belongs to the caller.
 *
 * The same account can use the token again, because links are opened twice, even after a decision. Only the account with
 * the mailed address can use it, so that a forwarded mail grants nothing.
 *
 * @throws ApiError INVALID_TOKEN if it is unknown, expired or of another request; INVALID_STATE for another account.
 */
export async function claimRegistrationRequest(
  deps: ClaimRegistrationRequestDeps,
  { principal, requestId, token, now }: ClaimRegistrationRequestInput,
): Promise<RegistrationRequest> {
  const { userId, developerId } = principal
  const claimed = await deps.db.transaction(async (trx) => {
    const own = { id: requestId, tokenHash: sha256Hex(token), ownerId: developerId, now }
    const isTaken = await deps.requests.claim(trx, own)
    const request = isTaken ? await deps.requests.byId(requestId, trx) : null
    if (request === null || request.ownerEmail === null) throw apiError('INVALID_TOKEN')
    const user = await deps.users.byId(userId, trx)
    if (user?.email !== request.ownerEmail) {
      throw apiError('INVALID_STATE', { message: 'The request was mailed to another address.' })
    }
    const verified = await deps.users.verifyEmail(trx, request.ownerEmail, now)
    return { verified, view: toRegistrationRequestView(request, now) }
  })
  if (claimed.verified !== null) await deps.onAccountChanged(userId)
  return claimed.view
}
