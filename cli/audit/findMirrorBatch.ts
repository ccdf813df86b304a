import type { ProofDocument } from '@svc/core/audit/proofDocument.ts'
import type { AnchoredBatch } from './anchoredBatch.ts'
import { findExtensionFault } from './findExtensionFault.ts'
import type { LogMirror } from './logMirror.ts'
import type { AuditChain } from './openAuditChain.ts'

/** The batch that anchored the root of a proof or, on a mirror, a log that extends it. */
export type FoundBatch =
  | { ok: true; batch: AnchoredBatch; isRootOfBatch: boolean }
  | { ok: false; reason: string }

/**
 * Finds the batch of a mirror that contains the log of a proof: the one of the same size, or the head, which the service
 * proves to extend the root of the proof.
 *
 * The service is trusted no more than the proof. What it returns is recomputed up to the head, and refutes the proof only if
 * it leads there from another root; anything else may be a fault of the service alone.
 *
 * @throws Error if the mirror cannot tell: it has not got that far, or nothing leads to its head.
 */
export async function findMirrorBatch(
  chain: AuditChain,
  mirror: LogMirror,
  { treeSize, root }: ProofDocument,
): Promise<FoundBatch> {
  if (treeSize > chain.head.size)
    throw new Error(
      `The mirror has ${chain.head.size} records, and the proof is made for ${treeSize}. Try again later.`,
    )
  const same = await chain.batchOfSize(treeSize)
  const batch = same ?? (await readHeadBatch(chain))
  const found = same?.root ?? (await readRootBelow(batch, treeSize, mirror))
  if (found === root) return { ok: true, batch, isRootOfBatch: same !== null }
  return {
    ok: false,
    reason: `the root of ${treeSize} records on the mirror is ${found}, but the proof says ${root}`,
  }
}

/** Reads which root the log had at a size before that of a batch. */
async function readRootBelow(
  { newSize: size, root }: AnchoredBatch,
  treeSize: number,
  { readGrowth }: LogMirror,
): Promise<string> {
  if (readGrowth === null)
    throw new Error(
      `The mirror has no head of ${treeSize} records. Name the service with --registry, which proves that a later one extends it.`,
    )
  const growth = await readGrowth(treeSize, size)
  if (!growth.ok) throw new Error(`There is no proof from ${treeSize} to ${size} records: ${growth.reason}.`)
  const { fromRoot } = growth.value
  const fault = findExtensionFault({ size: treeSize, root: fromRoot }, { size, root }, growth.value)
  if (fault !== null)
    throw new Error(`The service’s proof does not lead to the head of the mirror: ${fault}.`)
  return fromRoot
}

async function readHeadBatch({ batch, head }: AuditChain): Promise<AnchoredBatch> {
  const found = await batch(head.batch, Number.MAX_SAFE_INTEGER)
  if (found === null) throw new Error('The mirror has no head yet.')
  return found
}
