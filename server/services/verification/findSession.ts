import { apiError } from '../../errors.ts'
import type { AuditRecord, AuditRecordStore } from '../../store/audit/auditRecordStore.ts'
import type { ApiKeyPrincipal } from '../principal.ts'

export type FindSessionDeps = {
  records: Pick<AuditRecordStore, 'bySessionId'>
  /** Resolves when everything recorded so far can be found by its session. */
  catchUp: () => Promise<unknown>
}

/**
 * Finds the record that opened a session, for the counterparty.
 *
 * @throws ApiError NOT_FOUND for an unknown session or one of another account.
 */
export async function findSession(
  { records, catchUp }: FindSessionDeps,
  { principal, sessionId }: { principal: ApiKeyPrincipal; sessionId: string },
): Promise<AuditRecord & { counterpartyOwnerId: string }> {
  let record = await records.bySessionId(sessionId)
  if (record === null) {
    await catchUp()
    record = await records.bySessionId(sessionId)
  }
  const counterpartyOwnerId = record?.counterpartyOwnerId ?? null
  if (record === null || counterpartyOwnerId === null || !principal.actsFor.has(counterpartyOwnerId))
    throw apiError('NOT_FOUND')
  return { ...record, counterpartyOwnerId }
}
