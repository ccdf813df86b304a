import type { AnchoredBatch } from './anchoredBatch.ts'

/** How far the clock of a service may be ahead of the chain's: the time of a block is the beginning of a slot of seconds. */
export const CLOCK_TOLERANCE_MS = 60_000

/** An entry usually waits seconds for its anchor, and longer only during an outage of the chain. */
export const DELAY_MAX_MS = 3_600_000

/**
 * Finds whether an entry is dated after the block that first anchored it; null if it is not. An entry was written before it
 * was anchored, so its author lied about its time.
 *
 * @param time When the entry says that it was written.
 */
export function findTimeFault(time: Date, batch: AnchoredBatch, blockTime: Date): string | null {
  if (time.getTime() <= blockTime.getTime() + CLOCK_TOLERANCE_MS) return null
  const anchored = `batch ${batch.number} in block ${batch.blockNumber} of ${blockTime.toISOString()}`
  return `the entry is dated ${time.toISOString()}, after ${anchored}, which anchored it`
}
