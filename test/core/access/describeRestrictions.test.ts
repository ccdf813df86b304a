import { describeRestrictions } from '@svc/core/access/describeRestrictions.ts'
import { expect } from 'chai'
import { AGENT, ENDPOINT } from './twoBoundaries.ts'

describe('restrictions', () => {
  it('are one sentence per rule in force', () => {
    expect(describeRestrictions(AGENT, ENDPOINT)).to.deep.equal([
      'Only these categories: shopping',
      'Only these actions: shopping.search',
      'Never these actions: wipe, drop',
      'Sessions of at most 1800 seconds',
      'Tokens of at most 600 seconds',
      'Only Monday, Tuesday (Europe/Berlin)',
      'Only from 9:00 to 17:00 (UTC)',
      'At 100 USD or more, the owner is asked',
      'At 300 USD or more, the owner approves with a fresh passkey assertion',
      'At 300 USD or more, always denied',
      'Transactions in an hour, at most 10',
      'Spend at this endpoint in a day, at most 1000 USD',
      'Only these jurisdictions: DE',
      'Only these resources: /a/**',
      'Never these resources: /a/x',
      'Only with these certifications: SOC-2',
      'Only these counterparties: shop.example',
      'Nested at most 1 deep',
    ])
  })

  it('say "none" if nothing is left', () => {
    const one = { purpose: { categories: ['a'] } }
    const other = { purpose: { categories: ['b'] } }
    expect(describeRestrictions(one, other)[0]).to.equal('Only these categories: none')
  })

  it('of two empty boundaries are only that there are no sub-agents', () => {
    expect(describeRestrictions({}, {})).to.deep.equal(['No sub-agents'])
  })

  const OPEN = { selfInstantiation: { allowed: true } }

  it('are listed once if both boundaries have them', () => {
    const boundary = {
      ...OPEN,
      purpose: { categories: ['a', 'a'], deniedActions: ['x'] },
      duration: { allowedDays: [1], allowedHours: { start: 9, end: 17 }, ttl: 60 },
      scope: { resources: ['/a/**', '/b/**'], jurisdictions: ['DE', 'DE'] },
    }
    const listed = describeRestrictions(boundary, boundary)
    expect(listed).to.deep.equal([
      'Only these categories: a',
      'Never these actions: x',
      'Tokens of at most 60 seconds',
      'Only Monday from 9:00 to 17:00 (UTC)',
      'Only these jurisdictions: DE',
      'Only these resources: /a/**, /b/**',
    ])
  })

  it('name the resources of both boundaries if they differ', () => {
    const scoped = (resource: string) => ({ ...OPEN, scope: { resources: [resource] } })
    expect(describeRestrictions(scoped('/a/**'), scoped('/*/b'))).to.deep.equal([
      'Only these resources: /a/**',
      'And only these resources: /*/b',
    ])
  })

  it('of two open boundaries are none', () => {
    expect(describeRestrictions(OPEN, {})).to.deep.equal([])
  })

  it('name no currency if the boundaries name none', () => {
    expect(describeRestrictions({ ...OPEN, limits: { approvalThreshold: 300 } }, {})).to.include(
      'At 300 or more, always denied',
    )
    expect(
      describeRestrictions({ ...OPEN, limits: { approvalThreshold: 300, currency: 'EUR' } }, {}),
    ).to.include('At 300 EUR or more, always denied')
  })

  it('name the period of a cap', () => {
    const capOf = (cumulativePeriod: 'month' | 'week' | undefined) =>
      describeRestrictions(OPEN, { limits: { maxCumulativeSpend: 10, cumulativePeriod } })
    expect(capOf('month')).to.include('Spend at this endpoint in a month, at most 10')
    expect(capOf(undefined)).to.include('Spend at this endpoint in a day, at most 10')
  })

  it('name the days and hours of a window in one sentence', () => {
    const duration = {
      allowedDays: [0, 3, 4, 5, 6],
      allowedHours: { start: 8, end: 20 },
      timezone: 'Asia/Tokyo',
    }
    expect(describeRestrictions({ ...OPEN, duration }, {})).to.deep.equal([
      'Only Sunday, Wednesday, Thursday, Friday, Saturday from 8:00 to 20:00 (Asia/Tokyo)',
    ])
  })

  it('name the resource types of the endpoint', () => {
    expect(describeRestrictions(OPEN, { scope: { resourceTypes: ['api', 'file'] } })).to.deep.equal([
      'Only these types of resource: api, file',
    ])
  })

  it('name limits on sub-agents only if sub-agents are allowed', () => {
    const bounds = { maxSubAgents: 2, maxDepth: 3 }
    expect(describeRestrictions({ selfInstantiation: { allowed: true, ...bounds } }, {})).to.deep.equal([
      'Sub-agents, at most 2',
      'Nested at most 3 deep',
    ])
    expect(describeRestrictions({ selfInstantiation: bounds }, {})).to.deep.equal(['No sub-agents'])
  })
})
