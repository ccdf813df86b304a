import { apiError } from '../../errors.ts'
import type { OwnerFactsStore } from '../../store/agents/ownerFactsStore.ts'
import { type AgentRegistration, checkChallengeUrl } from '../agents/registration/agentRegistration.ts'
import { tellOwnerOfForeignKey } from '../agents/requireWriteAccess.ts'
import type { RaiseAlert } from '../alerts/createRaiseAlert.ts'
import type { ApiKeyPrincipal } from '../principal.ts'
import type { RegistrySettings } from '../registrySettings.ts'
import { refuseMisplaced } from './refuseMisplaced.ts'
import { createRegistrationRequest } from './registrationRequestView.ts'
import { type StoreRegistrationRequestDeps, storeRegistrationRequest } from './storeRegistrationRequest.ts'

export type RequestRegistrationByKeyDeps = StoreRegistrationRequestDeps & {
  owners: Pick<OwnerFactsStore, 'ofOwner'>
  settings: RegistrySettings
  tell: {
    raiseAlert: RaiseAlert
    /** Called after the commit when an owner must be notified. */
    onRequested(): void
  }
}

export type RequestRegistrationByKeyInput = {
  principal: ApiKeyPrincipal
  registration: AgentRegistration
  /** Expire before an owner approves, and name an agent whose identifier is not known yet. */
  keyProofs: readonly string[]
  now: number
}

/** Refuses the key of a developer whose identity is not verified. @throws ApiError KYD_REQUIRED. */
export async function requireVerifiedDeveloper(
  { owners }: Pick<RequestRegistrationByKeyDeps, 'owners'>,
  { developerId }: ApiKeyPrincipal,
): Promise<void> {
  const account = await owners.ofOwner(developerId)
  if (account === null || account.kydVerifiedAt === null) throw apiError('KYD_REQUIRED')
}

/**
 * Asks the owner of an API key, its organisation or otherwise its developer, to approve the registration of an agent.
 *
 * @returns The request's identifier.
 * @throws ApiError KYD_REQUIRED, VALIDATION_ERROR, and as `storeRegistrationRequest`. Source: `Spec: POST
 * /api/agents/register`; `Spec: Authentication` 7.
 */
export async function requestRegistrationByKey(
  deps: RequestRegistrationByKeyDeps,
  { principal, registration, keyProofs, now }: RequestRegistrationByKeyInput,
): Promise<string> {
  await requireVerifiedDeveloper(deps, principal)
  checkChallengeUrl(registration, deps.settings.allowPrivateNetwork)
  const { onChain, ...described } = registration
  const signerAddress = (principal.signedBy?.toLowerCase() ?? null) as `0x${string}` | null
  const asked = { ...described, signerAddress }
  refuseMisplaced({ onChain, keyProofs })
  const ownerId = principal.organizationId ?? principal.developerId
  const request = createRegistrationRequest(
    {
      kind: 'api_key',
      ownerId,
      ownerEmail: null,
      apiKeyId: principal.keyId,
      registration: asked,
      reason: null,
      now,
    },
    deps.settings.randomBytes,
  )
  const { parentAgentId = null } = asked
  const parent = parentAgentId === null ? null : await deps.parents.agents.bySvcId(parentAgentId)
  if (parent) tellOwnerOfForeignKey(deps.tell.raiseAlert, principal, parent, now)
  const requestId = await storeRegistrationRequest(deps, { ...request, ownerId })
  deps.tell.onRequested()
  return requestId
}
