import type { Batch } from '../../store/audit/batchStore.ts'

/** A batch as anybody may see it. */
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

/** Shows a batch; its consistency proof is shown only with the one batch that is asked for. */
export function batchView(batch: Batch): BatchView {
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
