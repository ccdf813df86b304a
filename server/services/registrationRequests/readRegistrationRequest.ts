import { mayWriteFor } from '../mayWriteFor.ts'
import type { AssertionOptions } from '../passkeys/assertionOptions.ts'
import type { SessionPrincipal } from '../principal.ts'
import { type FindOwnRequestDeps, findOwnRequest } from './findOwnRequest.ts'
import { registrationChallenge } from './registrationChallenge.ts'
import { type RegistrationRequestView, registrationRequestView } from './registrationRequestView.ts'

export type ReadRegistrationRequestDeps = FindOwnRequestDeps & {
  assertionOptions(input: { userId: string; challenge: Uint8Array }): Promise<AssertionOptions | null>
}

export type RegistrationRequestInput = { principal: SessionPrincipal; requestId: string; now: number }

/** A request with what the caller's browser needs to approve it; null when the caller cannot, or not any more. */
export type ReadRegistrationRequest = RegistrationRequestView & { assertionOptions: AssertionOptions | null }

/**
 * One registration request as its owner sees it.
 *
 * @throws ApiError NOT_FOUND for one of another owner. Source: api.md "Agents", "Approvals, activity, audit".
 */
export async function readRegistrationRequest(
  deps: ReadRegistrationRequestDeps,
  { principal, requestId, now }: RegistrationRequestInput,
): Promise<ReadRegistrationRequest> {
  const { request, ownerId } = await findOwnRequest(deps, principal, requestId)
  const view = registrationRequestView(request, now)
  const canApprove = view.status === 'pending' && mayWriteFor(principal, ownerId)
  const { userId } = principal
  const challenge = registrationChallenge(request, ownerId)
  return {
    ...view,
    assertionOptions: canApprove ? await deps.assertionOptions({ userId, challenge }) : null,
  }
}
