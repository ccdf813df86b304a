import { checkNumber } from '../http/checkNumber.ts'

/**
 * Reads for how long a held request is repeated. What is left of a time limit may be less than nothing, which is no wait.
 *
 * @throws Error for NaN, with which the time would never be up.
 */
export function readWaitMs(waitMs: number): number {
  const limitMs = Math.max(0, waitMs)
  checkNumber('waitMs', limitMs, 0, Number.POSITIVE_INFINITY)
  return limitMs
}
