import type { RegistrationRequestStore } from '../../store/approvals/registrationRequestStore.ts'
import type { AuditRecordStore } from '../../store/audit/auditRecordStore.ts'
import type { Db } from '../../store/database/database.ts'
import { buildRegistrationRequestRecord } from './buildRegistrationRequestRecord.ts'

/** Maximum requests per transaction. */
const EXPIRE_MAX = 100

export type ExpireRegistrationRequestsDeps = {
  db: Pick<Db, 'transaction'>
  requests: Pick<RegistrationRequestStore, 'expire'>
  records: Pick<AuditRecordStore, 'append'>
  ambient: { clock: () => number; randomBytes: (length: number) => Uint8Array }
}

/**
 * Records requests that their owners did not decide in time; returns their number.
 *
 * It need not be prompt: readers compare the time of a request with the clock.
 */
export async function expireRegistrationRequests(deps: ExpireRegistrationRequestsDeps): Promise<number> {
  const { requests, records, ambient } = deps
  const now = ambient.clock()
  return deps.db.transaction(async (trx) => {
    const expired = await requests.expire(trx, now, EXPIRE_MAX)
    for (const request of expired) {
      if (request.ownerId === null) continue
      const outcome = { eventType: 'registration.expired', ownerId: request.ownerId, now } as const
      await records.append(trx, buildRegistrationRequestRecord(request, outcome, ambient.randomBytes))
    }
    return expired.length
  })
}
