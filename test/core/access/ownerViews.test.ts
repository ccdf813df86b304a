import { appliedPolicy } from '@svc/core/access/appliedPolicy.ts'
import { restrictions } from '@svc/core/access/restrictions.ts'
import { tokenGuidance } from '@svc/core/access/tokenGuidance.ts'
import { compileLimits } from '@svc/core/pdlss/compileLimits.ts'
import { compilePurpose } from '@svc/core/pdlss/compilePurpose.ts'
import type { Pdlss } from '@svc/core/pdlss/pdlss.ts'
import { expect } from 'chai'
import fc from 'fast-check'
import { randomCases } from '../../harness/values/randomCases.ts'
import { arbitraryCase } from './arbitraryCases.ts'

const AGENT: Pdlss = {
  purpose: {
    categories: ['shopping', 'data'],
    allowedActions: ['Search', 'shopping:buy'],
    deniedActions: ['wipe'],
  },
  duration: { maxSessionDuration: 3600, ttl: 600, allowedDays: [1, 2], timezone: 'Europe/Berlin' },
  limits: { autonomousThreshold: 100, approvalThreshold: 500, maxTransactionsPerHour: 10, currency: 'USD' },
  scope: { jurisdictions: ['US', 'DE'], resources: ['/a/**'], counterparties: ['shop.example'] },
  selfInstantiation: { allowed: true, maxDepth: 2 },
}
const ENDPOINT: Pdlss = {
  purpose: {
    categories: ['Shopping'],
    allowedActions: ['shopping.search', 'refund'],
    deniedActions: ['drop'],
  },
  duration: { maxSessionDuration: 1800, allowedHours: { start: 9, end: 17 } },
  limits: { stepUpThreshold: 300, maxTransactionsPerHour: 20, maxCumulativeSpend: 1000 },
  scope: { jurisdictions: ['de'], deniedResources: ['/a/x'], requiredCertifications: ['SOC-2'] },
  selfInstantiation: { maxDepth: 1, requireApproval: true },
}

describe('the applied policy', () => {
  it('is the intersection of both boundaries as values', () => {
    expect(appliedPolicy(AGENT, ENDPOINT)).to.deep.equal({
      purpose: {
        categories: ['shopping'],
        allowedActions: ['shopping.search'],
        deniedActions: ['wipe', 'drop'],
      },
      duration: {
        maxSessionDuration: 1800,
        ttl: 600,
        windows: [
          { allowedDays: [1, 2], allowedHours: undefined, timezone: 'Europe/Berlin' },
          { allowedDays: undefined, allowedHours: { start: 9, end: 17 }, timezone: 'UTC' },
        ],
      },
      limits: {
        autonomousThreshold: 100,
        stepUpThreshold: 300,
        approvalThreshold: 300,
        maxTransactionsPerHour: 10,
        currency: 'USD',
        maxCumulativeSpend: 1000,
        cumulativePeriod: undefined,
      },
      scope: {
        jurisdictions: ['DE'],
        resources: [['/a/**']],
        deniedResources: ['/a/x'],
        resourceTypes: undefined,
        requiredCertifications: ['SOC-2'],
        counterparties: ['shop.example'],
      },
      selfInstantiation: {
        allowed: true,
        maxSubAgents: undefined,
        maxDepth: 1,
        inheritPermissions: false,
        requireApproval: true,
        allowedSubAgentPurposes: undefined,
      },
    })
  })

  it('allows the stated actions and spend that both sides allow', () => {
    const named = { category: 'a', action: 'x', qualifiedAction: 'a.x' }
    fc.assert(
      fc.property(arbitraryCase, fc.constantFrom(0, 0.2, 1, 5, 10), ({ agent, endpoint }, value) => {
        const applied = appliedPolicy(agent, endpoint)
        const refuses = (purpose: Pdlss['purpose']) => compilePurpose(purpose).refusesAction(named)
        const { allowedActions, deniedActions } = applied.purpose
        const isEmpty = allowedActions?.length === 0
        const together = refuses({
          allowedActions: allowedActions && [...allowedActions],
          deniedActions: deniedActions && [...deniedActions],
        })
        expect(isEmpty || together).to.equal(refuses(agent.purpose) || refuses(endpoint.purpose))
        const hardLimit = (limits: Pdlss['limits']) => compileLimits(limits, undefined).hardLimit
        const isOver = value >= hardLimit(agent.limits) || value >= hardLimit(endpoint.limits)
        expect(value >= hardLimit(applied.limits)).to.equal(isOver)
      }),
      { numRuns: randomCases(2_000) },
    )
  })

  it('of two empty boundaries restricts nothing but sub-agents', () => {
    expect(restrictions({}, {})).to.deep.equal(['No sub-agents'])
  })
})

describe('the restrictions shown to the owner', () => {
  it('are one sentence for each rule in force', () => {
    expect(restrictions(AGENT, ENDPOINT)).to.deep.equal([
      'Only these categories: shopping',
      'Only these actions: shopping.search',
      'Never these actions: wipe, drop',
      'Sessions of at most 1800 seconds',
      'Tokens of at most 600 seconds',
      'Only Monday, Tuesday (Europe/Berlin)',
      'Only from 9:00 to 17:00 (UTC)',
      'The owner is asked about spend from 100 USD',
      'A fresh passkey assertion is needed for spend from 300 USD',
      'No spend from 300 USD on',
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

  it('say so when nothing is left', () => {
    const one = { purpose: { categories: ['a'] } }
    const other = { purpose: { categories: ['b'] } }
    expect(restrictions(one, other)[0]).to.equal('Only these categories: none')
  })
})

describe('token guidance', () => {
  it('for the owner rests on both boundaries', () => {
    const guidance = tokenGuidance({
      endpoint: ENDPOINT,
      agent: AGENT,
      accessLevel: 'standard',
      sessionSeconds: 300,
    })
    expect(guidance).to.deep.equal({
      scopes: ['read', 'write', 'shopping.search'],
      ttlSeconds: 300,
      rateLimit: { transactionsPerHour: 10 },
    })
  })

  it('for anyone else rests on the endpoint alone, and the session length is not in it', () => {
    const guidance = tokenGuidance({
      endpoint: ENDPOINT,
      agent: undefined,
      accessLevel: 'standard',
      sessionSeconds: 300,
    })
    expect(guidance).to.deep.equal({
      scopes: ['read', 'write', 'shopping.search', 'refund'],
      ttlSeconds: 1800,
      rateLimit: { transactionsPerHour: 20 },
    })
  })

  it('of restricted access is to read only, of none nothing', () => {
    const at = (accessLevel: 'restricted' | 'none') =>
      tokenGuidance({ endpoint: {}, agent: undefined, accessLevel, sessionSeconds: 300 }).scopes
    expect(at('restricted')).to.deep.equal(['read'])
    expect(at('none')).to.deep.equal([])
  })
})
