import { findBoundaryExcess } from '@svc/core/pdlss/findBoundaryExcess.ts'
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

  it('fills every open field from the parent, and keeps stated ones', () => {
    const parent: Pdlss = {
      purpose: { categories: ['a'], deniedActions: ['x'] },
      duration: { maxSessionDuration: 600, timezone: 'Asia/Tokyo' },
      limits: { autonomousThreshold: 100, currency: 'USD' },
      scope: { resources: ['/a'], jurisdictions: [] },
    }
    expect(inheritBoundary({}, parent)).to.deep.equal({
      ...parent,
      scope: { resources: ['/a'], jurisdictions: [] },
    })
    expect(inheritBoundary({}, {})).to.deep.equal({})
    expect(inheritBoundary({ scope: { resources: ['/b'] } }, {})).to.deep.equal({
      scope: { resources: ['/b'] },
    })
    const child: Pdlss = {
      purpose: { categories: [], deniedActions: ['y', 'x'] },
      duration: { maxSessionDuration: 60 },
      scope: { resources: ['/b'], jurisdictions: [] },
    }
    expect(inheritBoundary(child, parent)).to.deep.equal({
      purpose: { categories: ['a'], deniedActions: ['x', 'y'] },
      duration: { maxSessionDuration: 60, timezone: 'Asia/Tokyo' },
      limits: { autonomousThreshold: 100, currency: 'USD' },
      scope: { resources: ['/b'], jurisdictions: [] },
    })
  })

  it('adds denied actions to a purpose only if there are any', () => {
    expect(inheritBoundary({ purpose: { categories: ['a'] } }, {}).purpose).to.deep.equal({
      categories: ['a'],
    })
    expect(inheritBoundary({}, { purpose: { categories: ['a'] } }).purpose).to.deep.equal({
      categories: ['a'],
    })
    expect(inheritBoundary({ purpose: { deniedActions: ['x'] } }, {}).purpose).to.deep.equal({
      deniedActions: ['x'],
    })
  })

  it('inherits the zone of a window that names none', () => {
    const parent: Pdlss = {
      duration: { ttl: 60, timezone: 'Asia/Tokyo', allowedHours: { start: 9, end: 17 } },
    }
    for (const duration of [{ allowedDays: [1] }, { allowedHours: { start: 10, end: 12 } }]) {
      const inherited = inheritBoundary({ duration }, parent)
      expect(inherited.duration).to.deep.equal({ ...parent.duration, ...duration })
      expect(findBoundaryExcess(inherited, parent)).to.deep.equal([])
    }
    const elsewhere = { timezone: 'Europe/Berlin' }
    expect(inheritBoundary({ duration: elsewhere }, parent).duration).to.include(elsewhere)
  })

  it('inherits a duration that it leaves open', () => {
    const parent: Pdlss = { duration: { ttl: 60, timezone: 'Asia/Tokyo' } }
    expect(inheritBoundary({ duration: { allowedDays: [] } }, parent).duration).to.deep.equal({
      ttl: 60,
      timezone: 'Asia/Tokyo',
    })
    expect(inheritBoundary({ duration: { ttl: 5 } }, {}).duration).to.deep.equal({ ttl: 5 })
    expect(inheritBoundary({}, { duration: { ttl: 5 } }).duration).to.deep.equal({ ttl: 5 })
  })

  it('descends one level', () => {
    const below = (selfInstantiation: Pdlss['selfInstantiation']) =>
      inheritBoundary({}, { selfInstantiation }).selfInstantiation
    expect(below({ allowed: true, maxDepth: 2, maxSubAgents: 3 })).to.deep.equal({
      allowed: true,
      maxDepth: 1,
      maxSubAgents: 3,
    })
    expect(below({ allowed: false, maxDepth: 2 })).to.deep.equal({ allowed: false, maxDepth: 1 })
    expect(below({ maxDepth: 2 })).to.deep.equal({ allowed: false, maxDepth: 1 })
    expect(below({ allowed: true })).to.deep.equal({ allowed: true })
    expect(below({ allowed: true, maxDepth: 0 })).to.deep.equal({ allowed: false, maxDepth: 0 })
  })

  it('ends below the last level', () => {
    const parent: Pdlss = { selfInstantiation: { allowed: true, maxDepth: 1 } }
    expect(inheritBoundary({}, parent).selfInstantiation).to.deep.equal({ allowed: false, maxDepth: 0 })
  })
})
