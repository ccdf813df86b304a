import { apiError } from '../../errors.ts'
import type { AuditRecord } from '../../store/audit/auditRecordStore.ts'

export type FindRecordDeps<Found = AuditRecord> = {
  records: { byRecordId(recordId: string): Promise<Found | null> }
  /** Resolves when everything recorded so far is in the feed. */
  catchUp: () => Promise<number>
}

/**
 * One record by its id; also one that was answered a moment ago and is not in the feed's index yet.
 *
 * @throws ApiError NOT_FOUND; SERVICE_UNAVAILABLE while the index is built anew.
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

/** Whether one that acts for these owners is the agent's or the endpoint's side of a record. */
export function isParty(
  { ownerId, counterpartyOwnerId }: Pick<AuditRecord, 'ownerId' | 'counterpartyOwnerId'>,
  actsFor: ReadonlySet<string>,
): boolean {
  return [ownerId, counterpartyOwnerId].some((party) => party !== null && actsFor.has(party))
}
