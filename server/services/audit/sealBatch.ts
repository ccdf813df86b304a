import { rootOfPeaks } from '@svc/core/audit/merkleHash.ts'
import { locatePeaks } from '@svc/core/audit/merkleTree.ts'
import { assembleProof, planConsistencyProof } from '@svc/core/audit/proofPlan.ts'
import { verifyConsistency } from '@svc/core/audit/verifyProof.ts'
import { decodeHex, encodeHex } from '@svc/core/bytes.ts'
import type { AnchoredBatch, Batch, BatchStore, SealedBatch } from '../../store/audit/batchStore.ts'
import type { TreeStore } from '../../store/audit/treeStore.ts'
import type { Db } from '../../store/database/database.ts'
import type { RememberedDeployment } from '../../store/relayer/deploymentStore.ts'
import { readNodes } from './readNodes.ts'

type Transaction = Parameters<BatchStore['add']>[0]

export type SealBatchDeps = {
  /** Reads since when a record may have been waiting at an index of the log; null if there is none. */
  waitingSince: (index: number) => Promise<number | null>
  /** Whether there is a record at an index of the log, as far as is known yet. */
  hasRecord: (index: number) => Promise<boolean>
  tree: TreeStore
  batches: BatchStore
  transaction: Db['transaction']
  /** Resolves with the size of the log once everything recorded so far is in the feed. */
  catchUp: () => Promise<number>
  /** Orders the relayer to anchor a batch, in the transaction that stores it. */
  anchor: (trx: Transaction, batch: number, now: number) => Promise<void>
  limits: { batchSize: number; batchSeconds: number }
}

/**
 * Seals the waiting records of a log as its next batch if there are enough or the oldest has waited long enough.
 *
 * It never seals while an earlier batch is not in a block: the rate of transactions then stays constant, and batches grow
 * with the load. The batch and the intent to anchor it are one transaction.
 *
 * @returns The batch, or null if there is nothing to seal or another process has just sealed it.
 * @throws Error if the tree does not extend the last sealed one: the log was rewritten, and the contract would reject it.
 * Source: docs/life-of-an-audit-record.md.
 */
export async function sealBatch(deps: SealBatchDeps, now: number): Promise<SealedBatch | null> {
  const last = await deps.batches.last()
  if (last?.status === 'sealed') return null
  if (!(await isDue(deps, last, now))) return null

  const newSize = await deps.catchUp()
  // What was waiting was of another log.
  if (newSize <= (last?.newSize ?? 0)) return null
  const batch = await buildNextBatch(deps, last, newSize, now)
  return deps.transaction(async (trx) => {
    if (!(await deps.batches.add(trx, batch))) return null
    await deps.anchor(trx, batch.number, now)
    return batch
  })
}

/** A record from a process whose clock was ahead counts as waiting since the last batch: its own time may be a year away. */
async function isDue(
  { waitingSince, hasRecord, limits }: SealBatchDeps,
  last: Batch | null,
  now: number,
): Promise<boolean> {
  const sealedSize = last?.newSize ?? 0
  const oldest = await waitingSince(sealedSize)
  if (oldest === null) return false
  const waitedMs = oldest > now ? Math.abs(now - (last?.sealedAt ?? 0)) : now - oldest
  return waitedMs >= limits.batchSeconds * 1000 || hasRecord(sealedSize + limits.batchSize - 1)
}

async function buildNextBatch(
  deps: SealBatchDeps,
  last: Batch | null,
  newSize: number,
  now: number,
): Promise<SealedBatch> {
  const prevSize = last?.newSize ?? 0
  const peaks = locatePeaks(newSize)
  const plan = planConsistencyProof(prevSize, newSize)
  const nodes = await readNodes(deps, dedupeAddresses([...peaks, ...plan.flat()]))
  const [root] = assembleProof([peaks], nodes)
  const proof = assembleProof(plan, nodes)
  const isExtension = verifyConsistency({
    fromSize: prevSize,
    toSize: newSize,
    fromRoot: last === null ? rootOfPeaks([]) : decodeHex(last.root),
    toRoot: root ?? rootOfPeaks([]),
    proof,
  })
  if (root === undefined || !isExtension) {
    throw new Error(
      `the log of ${newSize} records does not extend batch ${last?.number}, sealed at ${prevSize}`,
    )
  }
  return {
    number: (last?.number ?? 0) + 1,
    prevSize,
    newSize,
    root: encodeHex(root),
    consistencyProof: proof.map(encodeHex),
    sealedAt: now,
  }
}

function dedupeAddresses(addresses: ReturnType<typeof locatePeaks>): ReturnType<typeof locatePeaks> {
  return [...new Map(addresses.map((address) => [`${address.level}/${address.index}`, address])).values()]
}

type Place = Pick<RememberedDeployment, 'chainId' | 'auditLog' | 'logId'>

export type NewestAnchorDeps = {
  batches: { lastConfirmed(): Promise<AnchoredBatch | null> }
  deployment: () => Promise<Place | null>
}

/** What proofs are built against: a final batch and its contract. */
export type Anchor = { batch: AnchoredBatch; deployment: Place }

/**
 * Returns the newest anchor; null while no batch is final.
 *
 * Proofs are built against the newest, because it is most likely still the head of the contract, which can then verify them
 * itself. Older documents stay valid: the contract only accepts heads that extend the previous one.
 */
export async function findNewestAnchor({ batches, deployment }: NewestAnchorDeps): Promise<Anchor | null> {
  const batch = await batches.lastConfirmed()
  const deployed = batch === null ? null : await deployment()
  return batch === null || deployed === null ? null : { batch, deployment: deployed }
}
