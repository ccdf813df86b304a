import { decimalOf } from './decimalOf.ts'
import { formatDecimal } from './formatDecimal.ts'

/**
 * Adds two amounts exactly and answers the plain decimal form, the one in which cumulative spend is stored.
 *
 * @throws RangeError on text that is not a decimal number.
 */
export function addDecimals(left: number | string, right: number | string): string {
  const a = decimalOf(left)
  const b = decimalOf(right)
  const scale = Math.max(a.scale, b.scale)
  const coefficient =
    a.coefficient * 10n ** BigInt(scale - a.scale) + b.coefficient * 10n ** BigInt(scale - b.scale)
  return formatDecimal({ coefficient, scale })
}
