import { apiError } from '../../errors.ts'
import type { UserStore } from '../../store/accounts/userStore.ts'
import type {
  RegistrationRequestStore,
  StoredRegistrationRequest,
} from '../../store/approvals/registrationRequestStore.ts'
import type { SessionPrincipal } from '../principal.ts'

export type FindOwnRequestDeps = {
  requests: Pick<RegistrationRequestStore, 'byId'>
  users: Pick<UserStore, 'byId'>
}

/** A request and the owner of the requested agent. */
export type OwnRequest = { request: StoredRegistrationRequest; ownerId: string }

/**
 * Finds a request to an owner that the caller acts for, or to the caller's verified address.
 *
 * @throws ApiError NOT_FOUND for any other.
 */
export async function findOwnRequest(
  deps: FindOwnRequestDeps,
  principal: SessionPrincipal,
  requestId: string,
): Promise<OwnRequest> {
  const request = await deps.requests.byId(requestId)
  if (!request) throw apiError('NOT_FOUND')
  if (request.ownerId !== null) {
    if (!principal.actsFor.has(request.ownerId)) throw apiError('NOT_FOUND')
    return { request, ownerId: request.ownerId }
  }
  const email = await provenEmailOf(deps.users, principal.userId)
  if (email === null || request.ownerEmail !== email) throw apiError('NOT_FOUND')
  return { request, ownerId: principal.developerId }
}

/** The verified address of an account, otherwise null, because anyone can open an account with another person's address. */
export async function provenEmailOf(users: Pick<UserStore, 'byId'>, userId: string): Promise<string | null> {
  const user = await users.byId(userId)
  return user !== null && user.emailVerifiedAt !== null ? user.email : null
}
