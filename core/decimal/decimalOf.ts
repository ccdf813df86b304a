import type { Decimal } from './decimal.ts'

const FORM = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/
const EXPONENT_MAX = 400

/**
 * The exact decimal that a JSON number or a decimal string writes down.
 *
 * A double is read by its shortest decimal form, which is what the sender wrote for any amount of up to 15 significant
 * digits: 0.1 is one tenth here, not the binary fraction beside it. ECMA-262 Number::toString.
 *
 * @throws RangeError on a text that is not a plain decimal number, NaN or an infinity; callers pass parsed values only.
 */
export function decimalOf(value: number | string): Decimal {
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
