import {
  addDecimals,
  compareDecimals,
  countSignificantDigits,
  formatDecimal,
  parseDecimal,
} from '@svc/core/decimal.ts'
import { expect } from 'chai'
import fc from 'fast-check'

const SCALE = 400

/** The naive twin: every number as a count of 10^-400. */
function units(text: string): bigint {
  const [mantissa = '', exponent = '0'] = text.split('e')
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.')
  const count = BigInt(whole + fraction) * 10n ** BigInt(SCALE - fraction.length + Number(exponent))
  return mantissa.startsWith('-') ? -count : count
}

const amount = fc.oneof(
  fc.double({ min: 0, max: 1e15, noNaN: true }),
  fc.integer({ min: 0, max: 999_999_999 }).map((cents) => cents / 100),
  fc.double({ min: 0, max: 1e-6, noNaN: true }),
)

const sign = (value: number | bigint) => (value > 0 ? 1 : value < 0 ? -1 : 0)

describe('decimals', () => {
  it('order doubles exactly as their shortest decimal forms', () => {
    const pairs = fc.oneof(
      fc.tuple(amount, amount),
      amount.map((value): [number, number] => [value, value * (1 + Number.EPSILON)]),
      amount.map((value): [number, number] => [value, Number(value.toPrecision(15))]),
    )
    fc.assert(
      fc.property(pairs, ([left, right]) => {
        expect(sign(left - right)).to.equal(sign(units(String(left)) - units(String(right))))
        expect(compareDecimals(left, right)).to.equal(sign(left - right))
      }),
      { numRuns: 5_000 },
    )
  })

  it('are summed exactly, in any order', () => {
    fc.assert(
      fc.property(fc.array(amount, { maxLength: 20 }), (amounts) => {
        const forwards = amounts.reduce((sum, value) => addDecimals(sum, value), '0')
        const backwards = amounts.reduceRight((sum, value) => addDecimals(value, sum), '0')
        expect(forwards).to.equal(backwards)
        expect(units(forwards)).to.equal(amounts.reduce((sum, value) => sum + units(String(value)), 0n))
      }),
    )
  })

  it('sum a thousand dimes to a hundred', () => {
    let sum = '0'
    for (let count = 0; count < 1000; count += 1) sum = addDecimals(sum, 0.1)
    expect(sum).to.equal('100')
  })

  it('are written plainly, without exponent or trailing zeros', () => {
    const forms: [number | string, string][] = [
      [0, '0'],
      ['0.10', '0.1'],
      [1e21, '1000000000000000000000'],
      [1e-7, '0.0000001'],
      ['-12.50', '-12.5'],
      [-0, '0'],
    ]
    for (const [value, text] of forms) expect(formatDecimal(parseDecimal(value))).to.equal(text)
  })

  it('are not parsed from anything but decimal numbers', () => {
    for (const text of ['', ' 1', '1,5', '0x10', 'NaN', 'Infinity', '1e999', '.5', '--1']) {
      expect(() => parseDecimal(text), text).to.throw(RangeError)
    }
    expect(() => parseDecimal(Number.NaN)).to.throw(RangeError)
  })

  it('have the significant digits of their shortest form', () => {
    const counts: [number, number][] = [
      [0, 0],
      [100, 1],
      [0.001, 1],
      [123.456, 6],
      [-1.5, 2],
      [1e21, 1],
      [0.1 + 0.2, 17],
      [123456789012345, 15],
    ]
    for (const [value, count] of counts) expect(countSignificantDigits(value), String(value)).to.equal(count)
  })
})
