import type { AnchoredBatch } from './anchoredBatch.ts'

type ReadBatch = (number: number, firstBlock: number, lastBlock: number) => Promise<AnchoredBatch[]>

/** The blocks that are searched first; then twice as many before them, and so on. */
const BLOCKS_FIRST = 1_000

/**
 * Finds the batch before another one, usually a few blocks earlier: many nodes return only events of a few blocks at once.
 *
 * @returns Null if there is none.
 */
export async function findBatchBefore(
  read: ReadBatch,
  { number, blockNumber }: AnchoredBatch,
): Promise<AnchoredBatch | null> {
  let last = blockNumber
  for (let blocks = BLOCKS_FIRST; number > 1 && last >= 0; blocks *= 2) {
    const first = Math.max(0, last - blocks)
    const [found] = await read(number - 1, first, last)
    if (found !== undefined) return found
    last = first - 1
  }
  return null
}
