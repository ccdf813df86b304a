import { apiError, validationError } from '../../errors.ts'
import type { StoredRegistrationRequest } from '../../store/approvals/registrationRequestStore.ts'
import { requireWriter } from '../requireWriter.ts'
import { deriveRegistrationChallenge } from './deriveRegistrationChallenge.ts'
import { type FindOwnRequestDeps, findOwnRequest } from './findOwnRequest.ts'
import type { RegistrationRequestInput } from './readRegistrationRequest.ts'
import {
  parseRequestedRegistration,
  type RequestedRegistration,
  resolveRequestStatus,
} from './registrationRequestView.ts'

/** Fields of the agent that the owner of an outreach sets. */
export type OwnerFields = Pick<Partial<RequestedRegistration>, 'description' | 'pdlss'>

/** An approval that the caller may give. */
export type PreparedApproval = {
  ownerId: string
  /** The request with the fields that the owner adds: the agent as it will be registered. */
  completed: StoredRegistrationRequest
  registration: RequestedRegistration
  /** The bytes that the owner's passkey has to sign; they cover all of the registration. */
  challenge: Uint8Array
}

/**
 * Checks that the caller may approve a request, and completes it with what its owner adds.
 *
 * @throws ApiError NOT_FOUND for a request to another owner, as `requireWriter`, INVALID_STATE,
 * VALIDATION_ERROR for fields added to a request that is not an outreach.
 */
export async function prepareApproval(
  deps: FindOwnRequestDeps,
  { principal, requestId, added, now }: RegistrationRequestInput & { added: OwnerFields },
): Promise<PreparedApproval> {
  const { request, ownerId } = await findOwnRequest(deps, principal, requestId)
  requireWriter(principal, ownerId)
  if (resolveRequestStatus(request, now) !== 'pending') throw apiError('INVALID_STATE')
  if (request.kind !== 'outreach') refuseFields(added)
  const registration = { ...parseRequestedRegistration(request), ...added }
  const completed = { ...request, registration: JSON.stringify(registration) }
  return { ownerId, completed, registration, challenge: deriveRegistrationChallenge(completed, ownerId) }
}

function refuseFields(added: OwnerFields): void {
  const fields = Object.keys(added)
  if (fields.length === 0) return
  const message = 'the agent is registered as it was requested'
  throw validationError(fields.map((field) => ({ pointer: `/${field}`, code: 'not_applicable', message })))
}
