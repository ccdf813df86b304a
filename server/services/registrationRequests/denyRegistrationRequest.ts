import { apiError } from '../../errors.ts'
import type { RegistrationRequestStore } from '../../store/approvals/registrationRequestStore.ts'
import type { AuditRecordStore } from '../../store/audit/auditRecordStore.ts'
import type { Db } from '../../store/database/database.ts'
import { mayWriteFor } from '../mayWriteFor.ts'
import { buildRegistrationRequestRecord } from './buildRegistrationRequestRecord.ts'
import { type FindOwnRequestDeps, findOwnRequest } from './findOwnRequest.ts'
import type { RegistrationRequestInput } from './readRegistrationRequest.ts'
import { type RegistrationRequestView, toRegistrationRequestView } from './registrationRequestView.ts'

export type DenyRegistrationRequestDeps = FindOwnRequestDeps & {
  db: Pick<Db, 'transaction'>
  requests: Pick<RegistrationRequestStore, 'byId' | 'deny'>
  records: Pick<AuditRecordStore, 'append'>
  ambient: { clock: () => number; randomBytes: (length: number) => Uint8Array }
}

export type DenyRegistrationRequestInput = Omit<RegistrationRequestInput, 'now'> & {
  /** For whoever made the request; null to say nothing. */
  reason: string | null
}

/**
 * Denies a registration that waits. A session is enough: saying no needs no passkey.
 *
 * @throws ApiError NOT_FOUND for one of another owner, FORBIDDEN for who only reads for the owner, INVALID_STATE.
 * Source: api.md "Agents".
 */
export async function denyRegistrationRequest(
  deps: DenyRegistrationRequestDeps,
  { principal, requestId, reason }: DenyRegistrationRequestInput,
): Promise<RegistrationRequestView> {
  const { requests, ambient } = deps
  const { request, ownerId } = await findOwnRequest(deps, principal, requestId)
  if (!mayWriteFor(principal, ownerId)) throw apiError('FORBIDDEN')
  const { userId } = principal
  return deps.db.transaction(async (trx) => {
    const now = ambient.clock()
    const isDenied = await requests.deny(trx, { id: requestId, ownerId, userId, reason, now })
    if (!isDenied) throw apiError('INVALID_STATE')
    const eventData = { decidedBy: userId, ...(reason === null ? {} : { reason }) }
    const outcome = { eventType: 'registration.denied', ownerId, eventData, now } as const
    await deps.records.append(trx, buildRegistrationRequestRecord(request, outcome, ambient.randomBytes))
    return toRegistrationRequestView((await requests.byId(requestId, trx)) ?? request, now)
  })
}
