import type { AuditBatch } from '@svc/core/contract/audit.ts'
import { toIsoTime } from '@svc/core/time/toIsoTime.ts'
import { apiError } from '../../errors.ts'
import type { Batch, BatchStore } from '../../store/audit/batchStore.ts'

export type ReadBatchDeps = { batches: BatchStore }

/** Returns a batch with the proof that its log extends the previous one. @throws ApiError NOT_FOUND. */
export async function readBatch(
  { batches }: ReadBatchDeps,
  input: { number: number },
): Promise<AuditBatch & { consistencyProof: readonly string[] }> {
  const batch = await batches.byNumber(input.number)
  if (batch === null) throw apiError('NOT_FOUND')
  return { ...toBatchView(batch), consistencyProof: batch.consistencyProof }
}

export type ListBatchesDeps = { batches: BatchStore }

/** Lists the sealed batches, newest first. */
export async function listBatches(
  { batches }: ListBatchesDeps,
  input: { limit: number; before: number | null },
): Promise<{ items: AuditBatch[]; nextBefore: number | null }> {
  const found = await batches.page(input.limit + 1, input.before)
  const page = found.slice(0, input.limit)
  return {
    items: page.map(toBatchView),
    nextBefore: found.length > page.length ? (page.at(-1)?.number ?? null) : null,
  }
}

/** Shows a batch; only a single batch is shown with its consistency proof. */
export function toBatchView(batch: Batch): AuditBatch {
  const { number, prevSize, newSize, root, status, transactionHash, blockNumber } = batch
  return {
    number,
    prevSize,
    newSize,
    root,
    status,
    transactionHash,
    blockNumber,
    sealedAt: toIsoTime(batch.sealedAt),
    confirmedAt: toIsoTime(batch.confirmedAt),
  }
}
