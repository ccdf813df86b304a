import type { AuditEntryFields } from '@svc/core/audit/auditEntry.ts'
import { checkProofDocument, type ProofDocument } from '@svc/core/audit/proofDocument.ts'
import type { AnchoredBatch, AuditChain } from './openAuditChain.ts'

type Hex = `0x${string}`

/** What the chain says about one proof document. */
export type Verdict =
  | {
      ok: true
      entry: AuditEntryFields
      batch: AnchoredBatch
      /** Whether the contract itself was asked, because its head is still this batch. */
      contractAgrees: boolean
    }
  | { ok: false; reason: string }

/**
 * Whether a proof document is true: entry, leaf and inclusion by computation, everything else by the chain.
 *
 * A document older than the head stays true, because the contract takes only heads that are proven to extend the last.
 * Every member of the document is checked, also those that only say where to look.
 *
 * @param asksContract Whether the contract is asked too, for a second opinion on what is computed here: one more request for
 *   each document.
 * Source: onchain.md "What an auditor gets".
 */
export async function verifyDocument(
  chain: AuditChain,
  document: ProofDocument,
  { asksContract = true } = {},
): Promise<Verdict> {
  const checked = checkProofDocument(document)
  if (!checked.ok) return checked
  const elsewhere = placeFault(chain, document)
  if (elsewhere !== null) return { ok: false, reason: elsewhere }

  const batch = await chain.batch(document.batch, document.blockNumber)
  if (batch === null) return { ok: false, reason: `the chain has no batch ${document.batch} of this log` }
  const fault = batchFault(batch, document)
  if (fault !== null) return { ok: false, reason: fault }

  if (chain.head.batch !== document.batch)
    return { ok: true, entry: checked.entry, batch, contractAgrees: false }
  if (chain.head.size !== batch.newSize || chain.head.root !== batch.root) {
    return {
      ok: false,
      reason: `the contract’s head is not what its event says about batch ${document.batch}`,
    }
  }
  if (!asksContract) return { ok: true, entry: checked.entry, batch, contractAgrees: false }
  const { leafHash, index, inclusionProof } = document
  const isIncluded = await chain.includes(leafHash as Hex, index, inclusionProof as Hex[])
  if (isIncluded === false) {
    return { ok: false, reason: `the contract does not find the leaf at index ${index}` }
  }
  return { ok: true, entry: checked.entry, batch, contractAgrees: isIncluded === true }
}

/** The document speaks of this log, on this chain, and of no batch that is still to come. */
function placeFault(chain: AuditChain, document: ProofDocument): string | null {
  if (document.chainId !== chain.chainId) {
    return `the proof is about chain ${document.chainId}, and the node is on chain ${chain.chainId}`
  }
  if (document.contract.toLowerCase() !== chain.contract.toLowerCase()) {
    return `the proof is about the contract ${document.contract}, not about ${chain.contract}`
  }
  if (document.logId !== chain.logId) {
    return `the proof is about the log ${document.logId}, not about ${chain.logId}`
  }
  if (document.batch > chain.head.batch) {
    return `the proof is about batch ${document.batch}, and the log on chain has only ${chain.head.batch}`
  }
  return null
}

function batchFault(batch: AnchoredBatch, document: ProofDocument): string | null {
  const name = `batch ${document.batch}`
  if (document.root !== batch.root) {
    return `the root on chain of ${name} is ${batch.root}, the proof says ${document.root}`
  }
  if (document.treeSize !== batch.newSize) {
    return `${name} has ${batch.newSize} records on chain, the proof says ${document.treeSize}`
  }
  if (document.transactionHash !== batch.transactionHash) {
    return `${name} was anchored by ${batch.transactionHash}, the proof says ${document.transactionHash}`
  }
  if (document.blockNumber !== batch.blockNumber) {
    return `${name} is in block ${batch.blockNumber}, the proof says ${document.blockNumber}`
  }
  return null
}
