import type { AuditChain } from './openAuditChain.ts'

/**
 * Finds whether a proof is about another chain, contract or log; null if not. Against a mirror, only the log counts, because
 * the proof names where the log itself is anchored.
 */
export function findProofLogFault(
  chain: AuditChain,
  proof: { chainId: number; contract: string; logId: string },
): string | null {
  const logId = namedLogOf(chain)
  if (chain.mirror === null && proof.chainId !== chain.chainId)
    return `the proof is about chain ${proof.chainId}, but the node is on chain ${chain.chainId}`
  if (chain.mirror === null && proof.contract.toLowerCase() !== chain.contract.toLowerCase())
    return `the proof is about the contract ${proof.contract}, not about ${chain.contract}`
  return proof.logId === logId ? null : `the proof is about the log ${proof.logId}, not about ${logId}`
}

/** The id by which documents name the log: for a mirror, that of the mirrored one. */
export function namedLogOf({ logId, mirror }: AuditChain): `0x${string}` {
  return mirror?.of ?? logId
}
