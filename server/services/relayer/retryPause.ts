const FIRST_MS = 1_000
const LONGEST_MS = 300_000

/** Pause before the next try of something that failed that many times, in milliseconds: doubling up to five minutes. */
export function retryPause(failures: number): number {
  return Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(failures, 20))
}
