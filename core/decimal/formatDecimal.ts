import type { Decimal } from './decimal.ts'

/** Writes a decimal in plain notation without exponent or trailing zeros: the one form in which sums are stored. */
export function formatDecimal({ coefficient, scale }: Decimal): string {
  const negative = coefficient < 0n
  const digits = (negative ? -coefficient : coefficient).toString().padStart(scale + 1, '0')
  const whole = digits.slice(0, digits.length - scale)
  const fraction = digits.slice(digits.length - scale).replace(/0+$/, '')
  const text = fraction === '' ? whole : `${whole}.${fraction}`
  return negative ? `-${text}` : text
}
