import type { AuditEntryFields } from '@svc/core/audit/auditEntry.ts'
import { checkReceiptOfEntry } from '@svc/core/receipt/checkReceiptOfEntry.ts'
import { isReceiptSignedBy } from './isReceiptSignedBy.ts'

/**
 * Finds what is wrong with a receipt next to the proof of its record; null if the proven entry commits to it and, if a key
 * is named, that key signed it. Whose key it is, `findIssuerFault` finds.
 */
export function findReceiptFault(
  { receipt, issuerKey }: { receipt: string; issuerKey?: unknown },
  entry: AuditEntryFields,
): string | null {
  const checked = checkReceiptOfEntry(receipt, entry)
  if (!checked.ok) return `the receipt does not match its entry: ${checked.reason}`
  if (issuerKey === undefined || isReceiptSignedBy(receipt, issuerKey)) return null
  return 'the receipt is not signed by the key that is named with it'
}
