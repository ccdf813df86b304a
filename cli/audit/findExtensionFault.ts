import type { ConsistencyDocument } from '@svc/core/audit/proofDocument.ts'
import { verifyConsistency } from '@svc/core/audit/verifyProof.ts'
import { decodeHex } from '@svc/core/bytes.ts'

/** A head of a log. */
export type LogPoint = { size: number; root: string }

/**
 * Finds why a consistency document does not show that the later log extends the earlier one; null if it does. The sizes and
 * roots that count are the given ones; those in the document only have to lead from one size to the other.
 *
 * Source: RFC 9162 §2.1.4.2.
 */
export function findExtensionFault(
  from: LogPoint,
  to: LogPoint,
  { fromSize, toSize, consistencyProof }: ConsistencyDocument,
): string | null {
  if (fromSize !== from.size || toSize !== to.size) {
    return `the proof leads from ${fromSize} to ${toSize} records, not from ${from.size} to ${to.size}`
  }
  const isExtension = verifyConsistency({
    fromSize,
    toSize,
    fromRoot: decodeHex(from.root),
    toRoot: decodeHex(to.root),
    proof: consistencyProof.map(decodeHex),
  })
  return isExtension
    ? null
    : `it does not show that the log of ${to.size} records extends the log of ${from.size}`
}
