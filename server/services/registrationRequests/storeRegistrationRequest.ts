import { computeKeyThumbprint } from '@svc/core/signing/computeKeyThumbprint.ts'
import { apiError } from '../../errors.ts'
import type { AgentKeyStore } from '../../store/agents/agentKeyStore.ts'
import type { RegistrationRequestStore } from '../../store/approvals/registrationRequestStore.ts'
import type { AuditRecordStore } from '../../store/audit/auditRecordStore.ts'
import type { Db } from '../../store/database/database.ts'
import { type PlaceSubAgentDeps, placeSubAgent } from '../agents/registration/placeSubAgent.ts'
import type { RegistrySettings } from '../registrySettings.ts'
import { buildRegistrationRequestRecord } from './buildRegistrationRequestRecord.ts'
import { type createRegistrationRequest, parseRequestedRegistration } from './registrationRequestView.ts'

export type StoreRegistrationRequestDeps = {
  db: Pick<Db, 'transaction'>
  requests: Pick<RegistrationRequestStore, 'insert' | 'countPending'>
  records: Pick<AuditRecordStore, 'append'>
  agentKeys: Pick<AgentKeyStore, 'isTaken'>
  parents: PlaceSubAgentDeps
  settings: Pick<RegistrySettings, 'randomBytes'>
}

/** A request whose owner is known. */
export type OwnedRequest = ReturnType<typeof createRegistrationRequest> & { ownerId: string }

/** Maximum pending requests per owner. */
const PENDING_MAX = 100

/**
 * Stores a request to register an agent for an owner, with its record. What could never be approved is rejected
 * immediately; approving checks again.
 *
 * @returns The request's identifier, from the transaction, so that it is stored with an Idempotency-Key.
 * @throws ApiError INVALID_STATE if too many are pending, KEY_TAKEN, and as `placeSubAgent`.
 */
export async function storeRegistrationRequest(
  deps: StoreRegistrationRequestDeps,
  request: OwnedRequest,
): Promise<string> {
  const { ownerId, createdAt: now } = request
  const registration = parseRequestedRegistration(request)
  const { parentAgentId = null, keys = [] } = registration
  return deps.db.transaction(async (trx) => {
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
      const child = { parentAgentId, ownerId, registration, isApproved: true }
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
}
