import { computeKeyThumbprint } from '@svc/core/signing/computeKeyThumbprint.ts'
import { apiError, validationError } from '../../errors.ts'
import type { AgentKeyStore } from '../../store/agents/agentKeyStore.ts'
import type { OwnerFactsStore } from '../../store/agents/ownerFactsStore.ts'
import type { RegistrationRequestStore } from '../../store/approvals/registrationRequestStore.ts'
import type { AuditRecordStore } from '../../store/audit/auditRecordStore.ts'
import type { Db } from '../../store/database/database.ts'
import { type AgentRegistration, checkChallengeUrl } from '../agents/registration/agentRegistration.ts'
import { type PlaceSubAgentDeps, placeSubAgent } from '../agents/registration/placeSubAgent.ts'
import { tellOwnerOfForeignKey } from '../agents/requireWriteAccess.ts'
import type { RaiseAlert } from '../alerts/createRaiseAlert.ts'
import type { ApiKeyPrincipal } from '../principal.ts'
import type { RegistrySettings } from '../registrySettings.ts'
import { buildRegistrationRequestRecord } from './buildRegistrationRequestRecord.ts'
import { createRegistrationRequest } from './registrationRequestView.ts'

export type RequestRegistrationByKeyDeps = {
  db: Pick<Db, 'transaction'>
  requests: Pick<RegistrationRequestStore, 'insert' | 'countPending'>
  records: Pick<AuditRecordStore, 'append'>
  owners: Pick<OwnerFactsStore, 'ofOwner'>
  agentKeys: Pick<AgentKeyStore, 'isTaken'>
  parents: PlaceSubAgentDeps
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
  now: number
}

/** Maximum pending requests per owner. */
const PENDING_MAX = 100

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
 * What could never be approved is rejected immediately; approving checks again.
 *
 * @returns The request's identifier.
 * @throws ApiError KYD_REQUIRED, VALIDATION_ERROR, SUB_AGENT_REFUSED, KEY_TAKEN, INVALID_STATE if too many are pending.
 * Source: `Spec: POST /api/agents/register`; `Spec: Authentication` 7.
 */
export async function requestRegistrationByKey(
  deps: RequestRegistrationByKeyDeps,
  { principal, registration, now }: RequestRegistrationByKeyInput,
): Promise<string> {
  await requireVerifiedDeveloper(deps, principal)
  checkChallengeUrl(registration, deps.settings.allowPrivateNetwork)
  const { onChain, ...described } = registration
  const signerAddress = (principal.signedBy?.toLowerCase() ?? null) as `0x${string}` | null
  const asked = { ...described, signerAddress }
  if (onChain !== null) {
    const message = 'belongs to a registration that its owner’s key signs'
    throw validationError([{ pointer: '/onChain', code: 'not_applicable', message }])
  }
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
  const { parentAgentId = null, keys = [] } = asked
  const parent = parentAgentId === null ? null : await deps.parents.agents.bySvcId(parentAgentId)
  if (parent) tellOwnerOfForeignKey(deps.tell.raiseAlert, principal, parent, now)
  const id = await deps.db.transaction(async (trx) => {
    if ((await deps.requests.countPending(trx, ownerId, now)) >= PENDING_MAX) {
      throw apiError('INVALID_STATE', {
        message: `${PENDING_MAX} requests are already pending for the owner.`,
      })
    }
    for (const key of keys) {
      if (await deps.agentKeys.isTaken(trx, { kid: computeKeyThumbprint(key), ownerId })) {
        throw apiError('KEY_TAKEN')
      }
    }
    if (parentAgentId !== null) {
      const child = { parentAgentId, ownerId, registration: asked, isApproved: true }
      await placeSubAgent(deps.parents, trx, child)
    }
    await deps.requests.insert(trx, request)
    const outcome = { eventType: 'registration.requested', ownerId, now } as const
    await deps.records.append(
      trx,
      buildRegistrationRequestRecord(request, outcome, deps.settings.randomBytes),
    )
    return request.id
  })
  deps.tell.onRequested()
  return id
}
