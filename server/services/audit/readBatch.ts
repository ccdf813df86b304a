import { apiError } from '../../errors.ts'
import type { Batch, BatchStore } from '../../store/audit/batchStore.ts'

export type ReadBatchDeps = { batches: BatchStore }

/** Returns a batch with the proof that its log extends the previous one. @throws ApiError NOT_FOUND. */
export async function readBatch(
  { batches }: ReadBatchDeps,
  input: { number: number },
): Promise<BatchView & { consistencyProof: readonly string[] }> {
  const batch = await batches.byNumber(input.number)
  if (batch === null) throw apiError('NOT_FOUND')
  return { ...toBatchView(batch), consistencyProof: batch.consistencyProof }
}

export type ListBatchesDeps = { batches: BatchStore }

/** Lists the sealed batches, newest first. */
export async function listBatches(
  { batches }: ListBatchesDeps,
  input: { limit: number; before: number | null },
): Promise<{ items: BatchView[]; nextBefore: number | null }> {
  const found = await batches.page(input.limit + 1, input.before)
  const page = found.slice(0, input.limit)
  return {
    items: page.map(toBatchView),
    nextBefore: found.length > page.length ? (page.at(-1)?.number ?? null) : null,
  }
}

/** A batch as everyone sees it. */
export type BatchView = {
  number: number
  prevSize: number
  newSize: number
  root: string
  status: Batch['status']
  transactionHash: string | null
  blockNumber: number | null
  sealedAt: string
  confirmedAt: string | null
}

/** Shows a batch; only a single batch is shown with its consistency proof. */
export function toBatchView(batch: Batch): BatchView {
  const { number, prevSize, newSize, root, status, transactionHash, blockNumber } = batch
  return {
    number,
    prevSize,
    newSize,
    root,
    status,
    transactionHash,
    blockNumber,
    sealedAt: new Date(batch.sealedAt).toISOString(),
    confirmedAt: batch.confirmedAt === null ? null : new Date(batch.confirmedAt).toISOString(),
  }
}
