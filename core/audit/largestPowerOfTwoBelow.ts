/**
 * The largest power of two that is smaller than `size`, where a tree of that many leaves (at least 2) is split.
 *
 * Source: RFC 9162 §2.1.1, there called k.
 */
export function largestPowerOfTwoBelow(size: number): number {
  let power = 1
  while (power * 2 < size) power *= 2
  return power
}
