import { isDeeperThan } from '@svc/core/json.ts'
import { expect } from 'chai'
import fc from 'fast-check'

function naiveDepth(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  return Object.values(value).reduce<number>((depth, member) => Math.max(depth, 1 + naiveDepth(member)), 0)
}

describe('isDeeperThan', () => {
  it('agrees with counting the levels', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat(6), (value, levels) => {
        expect(isDeeperThan(value, levels)).to.equal(naiveDepth(value) > levels)
      }),
    )
  })

  it('measures a value nested too deep for recursion', () => {
    const deep: unknown = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)
    expect(isDeeperThan(deep, 1_000)).to.equal(true)
  })
})
