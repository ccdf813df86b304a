import { inheritBoundary } from '@svc/core/pdlss/inheritBoundary.ts'
import type { Pdlss } from '@svc/core/pdlss/pdlss.ts'
import { expect } from 'chai'

describe('inheritBoundary', () => {
  it('keeps the order of thresholds when a lower one is stated', () => {
    const parent: Pdlss = {
      limits: { autonomousThreshold: 100, stepUpThreshold: 200, approvalThreshold: 500 },
    }
    expect(inheritBoundary({ limits: { approvalThreshold: 80 } }, parent).limits).to.deep.equal({
      autonomousThreshold: 80,
      stepUpThreshold: 80,
      approvalThreshold: 80,
    })
  })

  it('ends below the last level', () => {
    const parent: Pdlss = { selfInstantiation: { allowed: true, maxDepth: 1 } }
    expect(inheritBoundary({}, parent).selfInstantiation).to.deep.equal({ allowed: false, maxDepth: 0 })
  })
})
