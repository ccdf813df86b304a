/** How many positions are reserved at once: reserving writes to the database, taking one does not. */
const RESERVED_AT_ONCE = 1_024

/**
 * Creates a function that takes the next position in the status lists, which no other receipt of any process ever gets.
 *
 * Positions that a process reserved and did not use before it ended are never used; they read as valid, which reveals
 * nothing.
 *
 * @param reserve Reserves this many consecutive positions for this process and returns the first.
 * @returns The position if one is in reserve, otherwise the promise of one.
 */
export function createStatusIndexes(reserve: (count: number) => Promise<number>) {
  let next = 0
  let end = 0
  let pending: Promise<void> | null = null

  async function refill(): Promise<void> {
    const first = await reserve(RESERVED_AT_ONCE)
    next = first
    end = first + RESERVED_AT_ONCE
  }

  return function takeStatusIndex(): number | Promise<number> {
    if (next < end) return next++
    pending ??= refill().finally(() => {
      pending = null
    })
    return pending.then(takeStatusIndex)
  }
}
