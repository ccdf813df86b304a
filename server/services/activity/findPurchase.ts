import type { AuditRecordStore } from '../../store/audit/auditRecordStore.ts'
import { purchaseIdOf } from './purchaseIdOf.ts'

export type FindPurchaseDeps = {
  records: Pick<AuditRecordStore, 'bySessionId'>
  /** Resolves once every session recorded so far can be found. */
  catchUp: () => Promise<unknown>
}

/**
 * Returns the purchase that an id stands for: its own, or that of the session, which belongs to the purchase of the approval
 * with which it began.
 */
export async function findPurchase({ records, catchUp }: FindPurchaseDeps, id: string): Promise<string> {
  await catchUp()
  const opened = await records.bySessionId(id)
  return (opened && purchaseIdOf(opened.eventType, JSON.parse(opened.eventData))) ?? id
}
