/** An exact decimal number: `coefficient × 10^-scale`, scale ≥ 0. */
export type Decimal = { readonly coefficient: bigint; readonly scale: number }

const FORM = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/
const EXPONENT_MAX = 400

/**
 * Reads the exact decimal value of a JSON number or a decimal string.
 *
 * A double is read in its shortest decimal form. For up to 15 significant digits that is what the sender wrote, so 0.1 is
 * one tenth and not the nearest binary fraction. Source: ECMA-262 Number::toString.
 *
 * @throws RangeError for NaN, an infinity or a text that is not a decimal number; callers pass validated values only.
 */
export function parseDecimal(value: number | string): Decimal {
  const text = String(value)
  const parts = FORM.exec(text)
  if (parts === null) throw new RangeError('expected a decimal number')
  const [, sign = '', whole = '', fraction = '', exponentText = '0'] = parts
  const exponent = Number(exponentText)
  if (Math.abs(exponent) > EXPONENT_MAX) throw new RangeError('expected an exponent of at most 400')
  const digits = BigInt(sign + whole + fraction)
  const scale = fraction.length - exponent
  return scale >= 0
    ? { coefficient: digits, scale }
    : { coefficient: digits * 10n ** BigInt(-scale), scale: 0 }
}

/** Writes a decimal without exponent or trailing zeros, the form in which sums are stored. */
export function formatDecimal({ coefficient, scale }: Decimal): string {
  const negative = coefficient < 0n
  const digits = (negative ? -coefficient : coefficient).toString().padStart(scale + 1, '0')
  const whole = digits.slice(0, digits.length - scale)
  const fraction = digits.slice(digits.length - scale).replace(/0+$/, '')
  const text = fraction === '' ? whole : `${whole}.${fraction}`
  return negative ? `-${text}` : text
}

/**
 * Adds two amounts exactly and returns the sum as a plain decimal, the form in which cumulative spend is stored.
 *
 * @throws RangeError for a text that is not a decimal number.
 */
export function addDecimals(left: number | string, right: number | string): string {
  return formatDecimal(addParsed(parseDecimal(left), parseDecimal(right)))
}

/** `addDecimals` for many amounts, which are parsed once and formatted once. */
export function addParsed(a: Decimal, b: Decimal): Decimal {
  if (a.scale === b.scale) return { coefficient: a.coefficient + b.coefficient, scale: a.scale }
  const scale = Math.max(a.scale, b.scale)
  const coefficient =
    a.coefficient * 10n ** BigInt(scale - a.scale) + b.coefficient * 10n ** BigInt(scale - b.scale)
  return { coefficient, scale }
}

/**
 * Compares two amounts exactly; the result is negative, zero or positive, as for a sort callback.
 *
 * Two JSON numbers can be compared with `a < b`, because doubles have the order of their shortest decimal forms.
 *
 * @throws RangeError for a text that is not a decimal number.
 */
export function compareDecimals(left: number | string, right: number | string): -1 | 0 | 1 {
  const a = parseDecimal(left)
  const b = parseDecimal(right)
  const scale = Math.max(a.scale, b.scale)
  const difference =
    a.coefficient * 10n ** BigInt(scale - a.scale) - b.coefficient * 10n ** BigInt(scale - b.scale)
  if (difference === 0n) return 0
  return difference < 0n ? -1 : 1
}

/**
 * Counts the significant digits in the shortest decimal form of a number.
 *
 * A double represents up to 15 digits as they were written; a longer number may have been rounded when it was parsed.
 */
export function countSignificantDigits(value: number): number {
  const mantissa = (String(Math.abs(value)).split('e')[0] ?? '').replace('.', '')
  return mantissa.replace(/^0+/, '').replace(/0+$/, '').length
}
