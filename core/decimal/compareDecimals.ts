import { decimalOf } from './decimalOf.ts'

/**
 * Compares two amounts exactly: negative, zero or positive like a sort callback.
 *
 * Two JSON numbers need no such care: doubles order as their shortest decimal forms do, so `a < b` is exact for them.
 *
 * @throws RangeError on text that is not a decimal number.
 */
export function compareDecimals(left: number | string, right: number | string): -1 | 0 | 1 {
  const a = decimalOf(left)
  const b = decimalOf(right)
  const scale = Math.max(a.scale, b.scale)
  const difference =
    a.coefficient * 10n ** BigInt(scale - a.scale) - b.coefficient * 10n ** BigInt(scale - b.scale)
  if (difference === 0n) return 0
  return difference < 0n ? -1 : 1
}
