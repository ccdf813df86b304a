import { randomFillSync } from 'node:crypto'

const POOL_BYTES = 64 * 1024

/** Returns random bytes. */
export type RandomBytes = (length: number) => Uint8Array

/**
 * Draws random bytes from the operating system in blocks. A verification needs five small pieces, and a system call for
 * each would cost more than the decision.
 */
export function createRandomPool(): RandomBytes {
  let pool = new Uint8Array(0)
  let used = 0
  return (length) => {
    if (used + length > pool.length) {
      pool = randomFillSync(new Uint8Array(Math.max(POOL_BYTES, length)))
      used = 0
    }
    const piece = pool.subarray(used, used + length)
    used += length
    return piece
  }
}
