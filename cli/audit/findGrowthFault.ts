import type { ConsistencyDocument } from '@svc/core/audit/proofDocument.ts'
import type { AnchoredBatch } from './anchoredBatch.ts'
import { findExtensionFault } from './findExtensionFault.ts'
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
  const { chainId, contract, logId } = document
  if (chainId !== chain.chainId)
    return `the proof is about chain ${chainId}, but the node is on ${chain.chainId}`
  if (contract.toLowerCase() !== chain.contract.toLowerCase()) {
    return `the proof is about the contract ${contract}, not about ${chain.contract}`
  }
  if (logId !== chain.logId) return `the proof is about the log ${logId}, not about ${chain.logId}`
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
