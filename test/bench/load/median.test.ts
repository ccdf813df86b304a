import { expect } from 'chai'
import { median } from '../../../bench/load/median.ts'

describe('median', () => {
  it('is the middle figure, by size and not by spelling', () => {
    expect(median([10, 9, 100])).to.equal(10)
  })

  it('is the mean of the two middle ones of an even count', () => {
    expect(median([4, 1, 3, 2])).to.equal(2.5)
  })

  it('is no number of nothing', () => {
    expect(median([])).to.be.NaN
  })

  it('leaves what it is given as it was', () => {
    const figures = [3, 1, 2]
    median(figures)
    expect(figures).to.deep.equal([3, 1, 2])
  })
})
