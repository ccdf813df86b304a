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

/** A request and whose agent it asks for. */
export type OwnRequest = { request: StoredRegistrationRequest; ownerId: string }

/**
 * A request made of an owner the caller acts for, or written to the caller's proven address.
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

/** The address that an account has proven to be its own; null without one: anybody can open an account with another's. */
export async function provenEmailOf(users: Pick<UserStore, 'byId'>, userId: string): Promise<string | null> {
  const user = await users.byId(userId)
  return user !== null && user.emailVerifiedAt !== null ? user.email : null
}
