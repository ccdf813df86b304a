import type { RegistrationRequest } from '@svc/core/contract/registrationRequests.ts'
import { apiError } from '../../errors.ts'
import type { RegistrationRequestStore } from '../../store/approvals/registrationRequestStore.ts'
import type { AuditRecordStore } from '../../store/audit/auditRecordStore.ts'
import type { WriteAs } from '../accounts/writeAs.ts'
import { requireWriter } from '../requireWriter.ts'
import { buildRegistrationRequestRecord } from './buildRegistrationRequestRecord.ts'
import { type FindOwnRequestDeps, findOwnRequest } from './findOwnRequest.ts'
import type { RegistrationRequestInput } from './readRegistrationRequest.ts'
import { toRegistrationRequestView } from './registrationRequestView.ts'

export type DenyRegistrationRequestDeps = FindOwnRequestDeps & {
  requests: Pick<RegistrationRequestStore, 'byId' | 'deny'>
  records: Pick<AuditRecordStore, 'append'>
  writeAs: WriteAs
  ambient: { clock: () => number; randomBytes: (length: number) => Uint8Array }
}

export type DenyRegistrationRequestInput = Omit<RegistrationRequestInput, 'now'> & {
  /** Shown to the requester; null for none. */
  reason: string | null
}

/**
 * Denies a pending registration request. A session is sufficient: a denial needs no passkey.
 *
 * @throws ApiError NOT_FOUND for a request to another owner, INVALID_STATE, as `requireWriter`.
 */
export async function denyRegistrationRequest(
  deps: DenyRegistrationRequestDeps,
  { principal, requestId, reason }: DenyRegistrationRequestInput,
): Promise<RegistrationRequest> {
  const { requests, ambient } = deps
  const { request, ownerId } = await findOwnRequest(deps, principal, requestId)
  requireWriter(principal, ownerId)
  const { userId } = principal
  return deps.writeAs({ principal, ownerId }, 'alone', async (trx) => {
    const now = ambient.clock()
    const isDenied = await requests.deny(trx, { id: requestId, ownerId, userId, reason, now })
    if (!isDenied) throw apiError('INVALID_STATE')
    const eventData = { decidedBy: userId, ...(reason === null ? {} : { reason }) }
    const outcome = { eventType: 'registration.denied', ownerId, eventData, now } as const
    await deps.records.append(trx, buildRegistrationRequestRecord(request, outcome, ambient.randomBytes))
    return toRegistrationRequestView((await requests.byId(requestId, trx)) ?? request, now)
  })
}
