import type { ResultOf } from '@svc/core/contract/operations.ts'
import type { RegistrationRequest } from '@svc/core/contract/registrationRequests.ts'
import { apiError } from '../../errors.ts'
import type { UserStore } from '../../store/accounts/userStore.ts'
import type {
  RegistrationRequestStatus,
  RegistrationRequestStore,
} from '../../store/approvals/registrationRequestStore.ts'
import { mayWriteFor } from '../mayWriteFor.ts'
import type { AssertionOptions } from '../passkeys/checkAssertion.ts'
import type { SessionPrincipal } from '../principal.ts'
import { deriveRegistrationChallenge } from './deriveRegistrationChallenge.ts'
import { type FindOwnRequestDeps, findOwnRequest, provenEmailOf } from './findOwnRequest.ts'
import { toRegistrationRequestView } from './registrationRequestView.ts'

export type ReadRegistrationRequestDeps = FindOwnRequestDeps & {
  assertionOptions(input: { userId: string; challenge: Uint8Array }): Promise<AssertionOptions | null>
}

export type RegistrationRequestInput = { principal: SessionPrincipal; requestId: string; now: number }

/** A request with the options for the passkey; null if the caller cannot approve it, or no longer. */
export type ReadRegistrationRequest = RegistrationRequest & { assertionOptions: AssertionOptions | null }

/** Returns a registration request as its owner sees it. @throws ApiError NOT_FOUND for a request to another owner. */
export async function readRegistrationRequest(
  deps: ReadRegistrationRequestDeps,
  { principal, requestId, now }: RegistrationRequestInput,
): Promise<ReadRegistrationRequest> {
  const { request, ownerId } = await findOwnRequest(deps, principal, requestId)
  const view = toRegistrationRequestView(request, now)
  const canApprove = view.status === 'pending' && mayWriteFor(principal, ownerId)
  const { userId } = principal
  const challenge = deriveRegistrationChallenge(request, ownerId)
  return {
    ...view,
    assertionOptions: canApprove ? await deps.assertionOptions({ userId, challenge }) : null,
  }
}

export type ListRegistrationRequestsDeps = {
  requests: Pick<RegistrationRequestStore, 'listFor'>
  users: Pick<UserStore, 'byId'>
}

export type ListRegistrationRequestsInput = {
  principal: SessionPrincipal
  status: RegistrationRequestStatus | undefined
  page: { limit: number; before: number | null }
  now: number
}

/** Lists the requests to owners that the caller acts for, or to the caller's verified address, newest first. */
export async function listRegistrationRequests(
  deps: ListRegistrationRequestsDeps,
  { principal, status, page, now }: ListRegistrationRequestsInput,
): Promise<{ items: RegistrationRequest[]; nextBefore: number | null }> {
  const email = await provenEmailOf(deps.users, principal.userId)
  const audience = { ownerIds: [...principal.actsFor], email }
  const { items, nextBefore } = await deps.requests.listFor(audience, { status, now }, page)
  return { items: items.map((request) => toRegistrationRequestView(request, now)), nextBefore }
}

export type PollRegistrationRequestDeps = { requests: Pick<RegistrationRequestStore, 'byId'> }

/** A request as the requester sees it. */
export type PolledRegistrationRequest = ResultOf<'GET /api/agents/request-registration/:requestId'>

/**
 * Returns the status of a request to anyone who knows its identifier, which only its response reveals, without the owner or
 * the requested fields.
 *
 * @throws ApiError NOT_FOUND. Source: `Spec: GET /api/agents/request-registration/{requestId}`.
 */
export async function pollRegistrationRequest(
  deps: PollRegistrationRequestDeps,
  { requestId, now }: { requestId: string; now: number },
): Promise<PolledRegistrationRequest> {
  const request = await deps.requests.byId(requestId)
  if (!request) throw apiError('NOT_FOUND')
  const view = toRegistrationRequestView(request, now)
  const { status, agentId, svcId, requestedAt, lastEventAt, expiresAt, denialReason } = view
  return { requestId, status, agentId, svcId, requestedAt, lastEventAt, expiresAt, denialReason }
}
