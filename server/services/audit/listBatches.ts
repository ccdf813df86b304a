import type { BatchStore } from '../../store/audit/batchStore.ts'
import { type BatchView, batchView } from './batchView.ts'

export type ListBatchesDeps = { batches: BatchStore }

/** The sealed batches, newest first. Source: api.md "Approvals, activity, audit". */
export async function listBatches(
  { batches }: ListBatchesDeps,
  input: { limit: number; before: number | null },
): Promise<{ items: BatchView[]; nextBefore: number | null }> {
  const found = await batches.page(input.limit + 1, input.before)
  const page = found.slice(0, input.limit)
  return {
    items: page.map(batchView),
    nextBefore: found.length > page.length ? (page.at(-1)?.number ?? null) : null,
  }
}
