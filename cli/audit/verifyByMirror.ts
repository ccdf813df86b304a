import type { AuditEntryFields } from '@svc/core/audit/auditEntry.ts'
import type { ProofDocument } from '@svc/core/audit/proofDocument.ts'
import type { AnchoredBatch } from './anchoredBatch.ts'
import { findExtensionFault } from './findExtensionFault.ts'
import type { LogMirror } from './logMirror.ts'
import type { AuditChain } from './openAuditChain.ts'
import type { Verdict } from './verifyDocument.ts'

type Hex = `0x${string}`

/** A document whose entry, leaf and path have been computed. */
type Computed = { document: ProofDocument; entry: AuditEntryFields }

/**
 * Checks the root of a proof against a mirror of the log: the mirror has the same root at the same size, or a later head that
 * the service proves to extend it.
 *
 * @throws Error if the mirror cannot tell: it has not got that far, or there is no proof to one of its heads.
 */
export async function verifyByMirror(
  chain: AuditChain,
  mirror: LogMirror,
  { document, entry }: Computed,
  { asksContract }: { asksContract: boolean },
): Promise<Verdict> {
  const { treeSize, root, index } = document
  if (treeSize > chain.head.size)
    throw new Error(
      `The mirror has ${chain.head.size} records, and the proof is made for ${treeSize}. Try again later.`,
    )
  const same = await chain.batchOfSize(treeSize)
  if (same !== null && same.root !== root)
    return {
      ok: false,
      reason: `the root of ${treeSize} records on the mirror is ${same.root}, but the proof says ${root}`,
    }
  const proven = { ok: true as const, entry, index, contractAgrees: false }
  if (same !== null) {
    const contractAgrees =
      asksContract && same.number === chain.head.batch && (await askContract(chain, document))
    return { ...proven, batch: same, isRootOfBatch: true, contractAgrees }
  }
  const head = await readHeadBatch(chain)
  const fault = await findGrowthTo(head, mirror, document)
  return fault === null ? { ...proven, batch: head, isRootOfBatch: false } : { ok: false, reason: fault }
}

async function findGrowthTo(
  { newSize: size, root }: AnchoredBatch,
  { readGrowth }: LogMirror,
  document: ProofDocument,
): Promise<string | null> {
  const { treeSize } = document
  if (readGrowth === null)
    throw new Error(
      `The mirror has no head of ${treeSize} records. Name the service with --registry, which proves that a later one extends it.`,
    )
  const growth = await readGrowth(treeSize, size)
  if (!growth.ok) throw new Error(`There is no proof from ${treeSize} to ${size} records: ${growth.reason}.`)
  return findExtensionFault({ size: treeSize, root: document.root }, { size, root }, growth.value)
}

/** The path was computed already, so a contract that does not confirm it has only grown in the meantime. */
async function askContract(
  chain: AuditChain,
  { leafHash, index, inclusionProof }: ProofDocument,
): Promise<boolean> {
  return (await chain.includes(leafHash as Hex, index, inclusionProof as Hex[])) === true
}

async function readHeadBatch({ batch, head }: AuditChain): Promise<AnchoredBatch> {
  const found = await batch(head.batch, Number.MAX_SAFE_INTEGER)
  if (found === null) throw new Error('The mirror has no head yet.')
  return found
}
