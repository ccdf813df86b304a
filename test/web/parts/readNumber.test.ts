import { expect } from 'chai'
import { readNumber } from '../../../web/src/parts/readNumber.ts'

describe('readNumber', () => {
  it('reads whole numbers, decimals and grouped digits', () => {
    for (const [text, value] of [
      ['0', 0],
      [' 1800 ', 1800],
      ['1,800', 1800],
      ['1,234,567', 1_234_567],
    ] as const) {
      expect(readNumber(text, true), text).to.equal(value)
      expect(readNumber(text, false), text).to.equal(value)
    }
    expect(readNumber('12.50', false)).to.equal(12.5)
    expect(readNumber('12.', false)).to.equal(12)
    expect(readNumber('.5', false)).to.equal(0.5)
    expect(readNumber('1,800.25', false)).to.equal(1800.25)
  })

  it('reads nothing from a text that is no number', () => {
    for (const text of [
      '30 min',
      '1h',
      '1:30',
      'abc',
      '-5',
      '1e3',
      '1,5',
      '1,80,0',
      '1.2.3',
      '.',
      ',',
      '',
      ' ',
    ]) {
      expect(readNumber(text, false), text).to.equal(null)
      expect(readNumber(text, true), text).to.equal(null)
    }
    expect(readNumber('12.5', true)).to.equal(null)
  })
})
