import type { AnchoredBatch } from './anchoredBatch.ts'
import { CLOCK_TOLERANCE_MS } from './findTimeFault.ts'

type ReadChain = {
  /** @param number The batch to look for; null for all batches in these blocks, both included. */
  batchesIn(number: number | null, firstBlock: number, lastBlock: number): Promise<AnchoredBatch[]>
  blockTime(blockNumber: number): Promise<Date>
}

type Sought = { index: number; upTo: AnchoredBatch; time: Date }
/** Where the batch must be: its number and its block, both included. */
type Bounds = { numbers: [number, number]; blocks: [number, number] }

/** An honest entry is usually anchored within so many blocks after its time. */
const BLOCKS_NEAR = 1_000

/**
 * Finds the batch that first anchored an entry, among `upTo`, whose log contains it, and the batches before it.
 *
 * A log may have millions of batches, and many nodes return only events of a few blocks at once. So the search begins at the
 * blocks that follow the time in the entry, and only if that time is wrong halves the numbers of batches.
 *
 * @throws Error if the node does not return every batch.
 */
export async function findFirstBatch(chain: ReadChain, sought: Sought): Promise<AnchoredBatch> {
  const { index, upTo, time } = sought
  if (index >= upTo.prevSize) return upTo
  const bounds: Bounds = { numbers: [1, upTo.number - 1], blocks: [0, upTo.blockNumber] }
  const earliest = new Date(time.getTime() - CLOCK_TOLERANCE_MS)
  const near = await findLastBlockBefore(chain, earliest, upTo.blockNumber)
  const until = Math.min(near + BLOCKS_NEAR, upTo.blockNumber)
  for (const batch of await chain.batchesIn(null, near, until)) {
    if (narrow(bounds, batch, index)) return batch
  }
  while (bounds.numbers[0] <= bounds.numbers[1]) {
    const middle = Math.floor((bounds.numbers[0] + bounds.numbers[1]) / 2)
    const [batch] = await chain.batchesIn(middle, ...bounds.blocks)
    if (batch?.number !== middle) break
    if (narrow(bounds, batch, index)) return batch
  }
  throw createMissingBatchError(index)
}

/** The error for an entry whose first batch the node does not return. */
export function createMissingBatchError(index: number): Error {
  return new Error(`The node does not return the batch that first anchored number ${index}.`)
}

/** Excludes a batch and those before or after it. True if it is the one that first anchored the entry. */
function narrow(bounds: Bounds, batch: AnchoredBatch, index: number): boolean {
  if (batch.newSize <= index && batch.number >= bounds.numbers[0]) {
    bounds.numbers[0] = batch.number + 1
    bounds.blocks[0] = batch.blockNumber
  }
  if (batch.prevSize > index && batch.number <= bounds.numbers[1]) {
    bounds.numbers[1] = batch.number - 1
    bounds.blocks[1] = batch.blockNumber
  }
  return batch.prevSize <= index && index < batch.newSize
}

/** Finds the last block before a time, by halving; the first block if none is. */
async function findLastBlockBefore(chain: ReadChain, time: Date, newest: number): Promise<number> {
  let before = 0
  let after = newest
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if ((await chain.blockTime(middle)) < time) before = middle
    else after = middle
  }
  return before
}
