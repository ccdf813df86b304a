import type { AuditEntryFields } from '@svc/core/audit/auditEntry.ts'
import { checkProofDocument, type ProofDocument } from '@svc/core/audit/proofDocument.ts'
import type { AnchoredBatch } from './anchoredBatch.ts'
import { type FoundBatch, findMirrorBatch } from './findMirrorBatch.ts'
import { findProofLogFault } from './findProofLogFault.ts'
import type { AuditChain } from './openAuditChain.ts'

type Hex = `0x${string}`

/** The chain's verdict on one proof document. */
export type Verdict =
  | {
      ok: true
      entry: AuditEntryFields
      /** Its number in the log, which the proof shows. */
      index: number
      batch: AnchoredBatch
      /** Whether the contract itself confirmed the inclusion, which it can only while its head is this batch. */
      contractAgrees: boolean
      /** Whether the root of the proof is that of the batch, and not that of an earlier log which the batch extends. */
      isRootOfBatch: boolean
    }
  | { ok: false; reason: string }

/**
 * Checks a proof document: entry, leaf and inclusion by computation, everything else against the chain.
 *
 * A document older than the head stays valid, because the contract accepts only heads proven to extend the previous one.
 * Every member of the document is checked, including those that only say where to look; against a mirror, those that name
 * the chain, the contract and the batch of the log itself are not.
 *
 * @param asksContract Whether to ask the contract as well, as a second opinion on the computation; this takes one more
 *   request per document.
 * @throws Error if the node is behind the block that the document names, as nothing that it says refutes a later batch, or
 *   if a mirror cannot tell.
 * Source: docs/auditing.md.
 */
export async function verifyDocument(
  chain: AuditChain,
  document: ProofDocument,
  { asksContract = true } = {},
): Promise<Verdict> {
  const checked = checkProofDocument(document)
  if (!checked.ok) return checked
  const mismatch = findProofLogFault(chain, document)
  if (mismatch !== null) return { ok: false, reason: mismatch }
  const found =
    chain.mirror === null
      ? await findNamedBatch(chain, document)
      : await findMirrorBatch(chain, chain.mirror, document)
  if (!found.ok) return found

  const { batch, isRootOfBatch } = found
  const { leafHash, index, inclusionProof } = document
  const proven = { ok: true as const, entry: checked.entry, index, batch, isRootOfBatch }
  if (!isRootOfBatch || chain.head.batch !== batch.number) return { ...proven, contractAgrees: false }
  if (chain.head.size !== batch.newSize || chain.head.root !== batch.root) {
    return { ok: false, reason: `the contract’s head differs from its event about batch ${batch.number}` }
  }
  if (!asksContract) return { ...proven, contractAgrees: false }
  const isIncluded = await chain.includes(leafHash as Hex, index, inclusionProof as Hex[])
  if (isIncluded === false) {
    return { ok: false, reason: `the contract does not find the leaf at index ${index}` }
  }
  return { ...proven, contractAgrees: isIncluded === true }
}

/** Finds the batch that the document names, and compares everything that it says about it. */
async function findNamedBatch(chain: AuditChain, document: ProofDocument): Promise<FoundBatch> {
  if (document.batch > chain.head.batch) return refuseLaterBatch(chain, document)
  const batch = await chain.batch(document.batch, document.blockNumber)
  if (batch === null) return { ok: false, reason: `the chain has no batch ${document.batch} of this log` }
  const fault = findBatchFault(batch, document)
  return fault === null ? { ok: true, batch, isRootOfBatch: true } : { ok: false, reason: fault }
}

/** Refuses a batch that the node does not have, unless it has not seen the block of that batch either. */
function refuseLaterBatch({ head, blockNumber }: AuditChain, document: ProofDocument): FoundBatch {
  const { batch } = document
  if (document.blockNumber > blockNumber) {
    const place = `block ${document.blockNumber}, in which batch ${batch} was anchored according to the proof`
    throw new Error(`The node is at block ${blockNumber}, before ${place}. Try again later, or another node.`)
  }
  return {
    ok: false,
    reason: `the proof is about batch ${batch}, but the log on chain has only ${head.batch}`,
  }
}

function findBatchFault(batch: AnchoredBatch, document: ProofDocument): string | null {
  const name = `batch ${document.batch}`
  if (document.root !== batch.root) {
    return `the root on chain of ${name} is ${batch.root}, but the proof says ${document.root}`
  }
  if (document.treeSize !== batch.newSize) {
    return `${name} has ${batch.newSize} records on chain, but the proof says ${document.treeSize}`
  }
  if (document.transactionHash !== batch.transactionHash) {
    return `${name} was anchored by ${batch.transactionHash}, but the proof says ${document.transactionHash}`
  }
  if (document.blockNumber !== batch.blockNumber) {
    return `${name} is in block ${batch.blockNumber}, but the proof says ${document.blockNumber}`
  }
  return null
}
