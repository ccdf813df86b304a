import { expect } from 'chai'
import { isMet } from '../../../bench/report/isMet.ts'

describe('isMet', () => {
  it('includes the bound itself, except for `below`', () => {
    expect([1.9, 2, 2.1].map((value) => isMet(value, { atLeast: 2 }))).to.deep.equal([false, true, true])
    expect([1.9, 2, 2.1].map((value) => isMet(value, { atMost: 2 }))).to.deep.equal([true, true, false])
    expect([1.9, 2, 2.1].map((value) => isMet(value, { below: 2 }))).to.deep.equal([true, false, false])
  })

  it('is false for NaN', () => {
    const targets = [{ atLeast: 0 }, { atMost: 0 }, { below: 1 }]
    expect(targets.map((target) => isMet(Number.NaN, target))).to.deep.equal([false, false, false])
  })
})
