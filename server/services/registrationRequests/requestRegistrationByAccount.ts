import { apiError } from '../../errors.ts'
import { type AgentRegistration, checkChallengeUrl } from '../agents/registration/agentRegistration.ts'
import type { SessionPrincipal } from '../principal.ts'
import type { RegistrySettings } from '../registrySettings.ts'
import { deriveRegistrationChallenge } from './deriveRegistrationChallenge.ts'
import type { ReadRegistrationRequestDeps } from './readRegistrationRequest.ts'
import { createRegistrationRequest } from './registrationRequestView.ts'
import { type StoreRegistrationRequestDeps, storeRegistrationRequest } from './storeRegistrationRequest.ts'

export type RequestRegistrationByAccountDeps = StoreRegistrationRequestDeps &
  Pick<ReadRegistrationRequestDeps, 'assertionOptions'> & { settings: RegistrySettings }

export type RequestRegistrationByAccountInput = {
  principal: SessionPrincipal
  registration: Omit<AgentRegistration, 'onChain'>
  now: number
}

/**
 * Prepares the registration of an agent for the caller's own account: stores the request that a passkey of the account then
 * approves, so that no wallet is needed.
 *
 * Nothing is registered yet. The approval is the one of all requests: the passkey signs a digest of every field, and the
 * record contains the assertion.
 *
 * @returns The request's identifier.
 * @throws ApiError INVALID_STATE for an account without a passkey, VALIDATION_ERROR, and as `storeRegistrationRequest`.
 * Source: docs/decisions/0097.
 */
export async function requestRegistrationByAccount(
  deps: RequestRegistrationByAccountDeps,
  { principal, registration, now }: RequestRegistrationByAccountInput,
): Promise<string> {
  const { allowPrivateNetwork, randomBytes } = deps.settings
  checkChallengeUrl(registration, allowPrivateNetwork)
  const { userId, developerId: ownerId } = principal
  const origin = { kind: 'account', ownerEmail: null, apiKeyId: null, reason: null } as const
  const fields = { ...origin, ownerId, registration, now }
  const request = { ...createRegistrationRequest(fields, randomBytes), ownerId }
  const challenge = deriveRegistrationChallenge(request, ownerId)
  if (!(await deps.assertionOptions({ userId, challenge })))
    throw apiError('INVALID_STATE', { message: 'The account has no passkey yet.' })
  return storeRegistrationRequest(deps, request)
}
