import type { ConsistencyDocument } from '@svc/core/audit/proofDocument.ts'
import type { AnchoredBatch } from './anchoredBatch.ts'
import { findExtensionFault } from './findExtensionFault.ts'
import { findProofLogFault } from './findProofLogFault.ts'
import type { AuditChain } from './openAuditChain.ts'

/**
 * Checks a proof that the earlier log is a prefix of the later one.
 *
 * The sizes and roots of both come from the chain, and the document must state the same.
 *
 * @returns What is wrong; null if nothing is.
 *
 * Source: RFC 9162 §2.1.4.2.
 */
export function findGrowthFault(
  chain: AuditChain,
  { from, to }: { from: AnchoredBatch; to: AnchoredBatch },
  document: ConsistencyDocument,
): string | null {
  const mismatch = findProofLogFault(chain, document)
  if (mismatch !== null) return mismatch
  const pointOf = ({ newSize: size, root }: AnchoredBatch) => ({ size, root })
  const fault = findExtensionFault(pointOf(from), pointOf(to), document)
  if (document.fromSize !== from.newSize || document.toSize !== to.newSize) return fault
  for (const [claimed, batch] of [
    [document.fromRoot, from],
    [document.toRoot, to],
  ] as const) {
    if (claimed !== batch.root)
      return `the root on chain of batch ${batch.number} is ${batch.root}, but the proof says ${claimed}`
  }
  return fault
}
