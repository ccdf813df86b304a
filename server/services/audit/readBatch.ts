import { apiError } from '../../errors.ts'
import type { BatchStore } from '../../store/audit/batchStore.ts'
import { type BatchView, batchView } from './batchView.ts'

export type ReadBatchDeps = { batches: BatchStore }

/**
 * One batch with the proof that its log extends the one before it.
 *
 * @throws ApiError NOT_FOUND.
 * Source: api.md "Approvals, activity, audit".
 */
export async function readBatch(
  { batches }: ReadBatchDeps,
  input: { number: number },
): Promise<BatchView & { consistencyProof: readonly string[] }> {
  const batch = await batches.byNumber(input.number)
  if (batch === null) throw apiError('NOT_FOUND')
  return { ...batchView(batch), consistencyProof: batch.consistencyProof }
}
