import { restrictions } from '@svc/core/access/restrictions.ts'
import { expect } from 'chai'

describe('restrictions', () => {
  const OPEN = { selfInstantiation: { allowed: true } }

  it('are none of two open boundaries', () => {
    expect(restrictions(OPEN, {})).to.deep.equal([])
  })

  it('name no currency where none is named', () => {
    expect(restrictions({ ...OPEN, limits: { approvalThreshold: 300 } }, {})).to.include(
      'No spend from 300 on',
    )
    expect(restrictions({ ...OPEN, limits: { approvalThreshold: 300, currency: 'EUR' } }, {})).to.include(
      'No spend from 300 EUR on',
    )
  })

  it('name the period of a cap', () => {
    const capOf = (cumulativePeriod: 'month' | 'week' | undefined) =>
      restrictions(OPEN, { limits: { maxCumulativeSpend: 10, cumulativePeriod } })
    expect(capOf('month')).to.include('Spend at this endpoint in a month, at most 10')
    expect(capOf(undefined)).to.include('Spend at this endpoint in a day, at most 10')
  })

  it('name days and hours of one window in one sentence', () => {
    const duration = {
      allowedDays: [0, 3, 4, 5, 6],
      allowedHours: { start: 8, end: 20 },
      timezone: 'Asia/Tokyo',
    }
    expect(restrictions({ ...OPEN, duration }, {})).to.deep.equal([
      'Only Sunday, Wednesday, Thursday, Friday, Saturday from 8:00 to 20:00 (Asia/Tokyo)',
    ])
  })

  it('name the types of resource an endpoint has', () => {
    expect(restrictions(OPEN, { scope: { resourceTypes: ['api', 'file'] } })).to.deep.equal([
      'Only these types of resource: api, file',
    ])
  })

  it('name bounds of sub-agents only where there can be any', () => {
    const bounds = { maxSubAgents: 2, maxDepth: 3 }
    expect(restrictions({ selfInstantiation: { allowed: true, ...bounds } }, {})).to.deep.equal([
      'Sub-agents, at most 2',
      'Nested at most 3 deep',
    ])
    expect(restrictions({ selfInstantiation: bounds }, {})).to.deep.equal(['No sub-agents'])
  })
})
