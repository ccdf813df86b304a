import { apiError } from '../../errors.ts'
import type { AuditRecord } from '../../store/audit/auditRecordStore.ts'

export type FindRecordDeps<Found = AuditRecord> = {
  records: { byRecordId(recordId: string): Promise<Found | null> }
  /** Resolves once everything recorded so far is in the feed. */
  catchUp: () => Promise<number>
}

/**
 * Finds a record by id, including one just returned that is not in the feed's index yet.
 *
 * @throws ApiError NOT_FOUND; SERVICE_UNAVAILABLE while the index is being rebuilt.
 */
export async function findRecord<Found>(
  { records, catchUp }: FindRecordDeps<Found>,
  recordId: string,
): Promise<Found> {
  const found = await records.byRecordId(recordId)
  if (found !== null) return found
  await catchUp()
  const caughtUp = await records.byRecordId(recordId)
  if (caughtUp === null) throw apiError('NOT_FOUND')
  return caughtUp
}

/** Whether these owners include the agent's or the endpoint's side of a record. */
export function isParty(
  { ownerId, counterpartyOwnerId }: Pick<AuditRecord, 'ownerId' | 'counterpartyOwnerId'>,
  actsFor: ReadonlySet<string>,
): boolean {
  return [ownerId, counterpartyOwnerId].some((party) => party !== null && actsFor.has(party))
}
