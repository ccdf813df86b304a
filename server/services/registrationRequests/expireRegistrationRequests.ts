import type { RegistrationRequestStore } from '../../store/approvals/registrationRequestStore.ts'
import type { AuditRecordStore } from '../../store/audit/auditRecordStore.ts'
import type { Db } from '../../store/database/database.ts'
import { buildRegistrationRequestRecord } from './buildRegistrationRequestRecord.ts'

/** Requests one transaction ends. */
const EXPIRE_MAX = 100

export type ExpireRegistrationRequestsDeps = {
  db: Pick<Db, 'transaction'>
  requests: Pick<RegistrationRequestStore, 'expire'>
  records: Pick<AuditRecordStore, 'append'>
  ambient: { clock: () => number; randomBytes: (length: number) => Uint8Array }
}

/**
 * Tells owners of requests they did not decide in time; answers how many it ended.
 *
 * Nothing depends on it being prompt: whoever reads a request compares its time with the clock.
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
