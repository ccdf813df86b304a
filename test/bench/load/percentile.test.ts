import { expect } from 'chai'
import fc from 'fast-check'
import { percentile } from '../../../bench/load/percentile.ts'

describe('percentile', () => {
  const hundred = Array.from({ length: 100 }, (_, i) => 100 - i)

  it('is the figure of the nearest rank, in any input order', () => {
    expect([1, 50, 99, 99.5, 100].map((percent) => percentile(hundred, percent))).to.deep.equal([
      1, 50, 99, 100, 100,
    ])
  })

  it('is NaN without figures', () => {
    expect(percentile([], 50)).to.be.NaN
  })

  it('agrees with a naive twin that counts the figures not above it', () => {
    const figures = fc.array(fc.integer({ min: -1_000, max: 1_000 }), { minLength: 1, maxLength: 60 })
    fc.assert(
      fc.property(figures, fc.integer({ min: 1, max: 100 }), (values, percent) => {
        const covers = (bound: number) =>
          values.filter((value) => value <= bound).length * 100 >= values.length * percent
        expect(percentile(values, percent)).to.equal(Math.min(...values.filter(covers)))
      }),
    )
  })
})
