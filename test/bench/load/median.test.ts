import { expect } from 'chai'
import { median } from '../../../bench/load/median.ts'

describe('median', () => {
  it('is the middle figure in numeric, not alphabetical order', () => {
    expect(median([10, 9, 100])).to.equal(10)
  })

  it('is the mean of the two middle figures of an even count', () => {
    expect(median([4, 1, 3, 2])).to.equal(2.5)
  })

  it('is NaN without figures', () => {
    expect(median([])).to.be.NaN
  })

  it('does not change its input', () => {
    const figures = [3, 1, 2]
    median(figures)
    expect(figures).to.deep.equal([3, 1, 2])
  })
})
