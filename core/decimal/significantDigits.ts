/**
 * How many significant digits the shortest decimal form of a number has.
 *
 * Up to 15 a double keeps what was written; beyond that it may have been rounded while it was parsed.
 */
export function significantDigits(value: number): number {
  const mantissa = (String(Math.abs(value)).split('e')[0] ?? '').replace('.', '')
  return mantissa.replace(/^0+/, '').replace(/0+$/, '').length
}
