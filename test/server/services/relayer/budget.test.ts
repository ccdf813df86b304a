import { expect } from 'chai'
import { toGwei } from '../../../../server/services/relayer/budget.ts'

describe('costGwei', () => {
  it('rounds up, so that rounding never exceeds a budget', () => {
    const wei = [0n, 1n, 999_999_999n, 1_000_000_000n, 1_000_000_001n]
    expect(wei.map(toGwei)).to.deep.equal([0, 1, 1, 1, 2])
  })

  it('is exact up to nine million ether', () => {
    expect(toGwei(9_000_000n * 10n ** 18n - 1n)).to.equal(9_000_000_000_000_000)
  })
})
