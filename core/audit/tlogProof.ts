import { canonicalJson } from '../json/canonicalJson.ts'
import { base64OfBytes } from './base64OfBytes.ts'
import { bytesOfHex } from './bytesOfHex.ts'
import type { ProofDocument } from './proofDocument.ts'

/** The first line of every proof of this form. */
export const TLOG_PROOF_HEADER = 'c2sp.org/tlog-proof@v1'

/**
 * A proof document as text that tools for transparency logs read.
 *
 * The extra line carries what the format has no place for, as canonical JSON: the entry, which is the leaf, and where the
 * chain holds the head. It is not authenticated by the format; the leaf hash and the chain authenticate it.
 *
 * @param checkpoint Signed checkpoint of the document's size and root.
 * Source: C2SP tlog-proof "Format"; onchain.md "What an auditor gets".
 */
export function tlogProof(document: ProofDocument, checkpoint: string): string {
  const { entry, batch, logId, chainId, transactionHash, blockNumber } = document
  // One spelling, so that no two texts say the same.
  const contract = document.contract.toLowerCase()
  const extra = canonicalJson({ entry, batch, logId, chainId, contract, transactionHash, blockNumber })
  return [
    TLOG_PROOF_HEADER,
    `extra ${btoa(extra)}`,
    `index ${document.index}`,
    ...document.inclusionProof.map((hash) => base64OfBytes(bytesOfHex(hash))),
    '',
    checkpoint,
  ].join('\n')
}
