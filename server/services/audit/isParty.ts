import type { AuditRecord } from '../../store/audit/auditRecordStore.ts'

/** Whether one that acts for these owners is the agent's or the endpoint's side of a record. */
export function isParty(
  { ownerId, counterpartyOwnerId }: Pick<AuditRecord, 'ownerId' | 'counterpartyOwnerId'>,
  actsFor: ReadonlySet<string>,
): boolean {
  return [ownerId, counterpartyOwnerId].some((party) => party !== null && actsFor.has(party))
}
