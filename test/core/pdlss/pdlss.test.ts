import { agentPdlssSchema, endpointPdlssSchema, type PdlssSide, parsePdlss } from '@svc/core/pdlss/pdlss.ts'
import { expect } from 'chai'
import { z } from 'zod'

const FULL = {
  purpose: {
    categories: ['shopping', 'read_data'],
    allowedActions: ['shopping.search', 'shopping:buy', 'list'],
    deniedActions: ['delete'],
  },
  duration: {
    maxSessionDuration: 3600,
    ttl: 900,
    allowedDays: [1, 2, 3, 4, 5],
    allowedHours: { start: 9, end: 17 },
    timezone: 'America/New_York',
  },
  limits: {
    autonomousThreshold: 100,
    stepUpThreshold: 250,
    approvalThreshold: 500,
    maxTransactionsPerHour: 10,
    currency: 'USD',
  },
  scope: {
    jurisdictions: ['US'],
    resources: ['/api/**'],
    unverifiedCounterpartyPolicy: 'deny',
    minCounterpartyTrustScore: 40,
  },
  selfInstantiation: {
    allowed: true,
    maxSubAgents: 3,
    maxDepth: 1,
    inheritPermissions: true,
    requireApproval: true,
  },
}

const errorsOf = (pdlss: unknown, side: PdlssSide = 'agent') => {
  const parsed = parsePdlss(pdlss, side)
  return parsed.ok ? [] : parsed.errors.map(({ pointer, code }) => `${pointer} ${code}`)
}

describe('a PDLSS object', () => {
  it('with every field of the specification is accepted unchanged on both sides', () => {
    for (const side of ['agent', 'endpoint'] as const) {
      const parsed = parsePdlss(FULL, side)
      expect(parsed).to.deep.equal({ ok: true, pdlss: FULL })
    }
  })

  it('with an empty text has only that reported, and nothing about its characters', () => {
    expect(errorsOf({ purpose: { categories: [''] } })).to.deep.equal(['/purpose/categories/0 too_small'])
    expect(errorsOf({ scope: { jurisdictions: [''] } })).to.deep.equal(['/scope/jurisdictions/0 too_small'])
  })

  it('may be empty, and so may its dimensions', () => {
    expect(errorsOf({})).to.deep.equal([])
    expect(
      errorsOf({ purpose: {}, duration: {}, limits: {}, scope: {}, selfInstantiation: {} }),
    ).to.deep.equal([])
  })

  it('accepts only the additions of its own side', () => {
    const ofEndpoint = {
      limits: { maxCumulativeSpend: 1000, cumulativePeriod: 'week' },
      scope: { deniedResources: ['/x'], resourceTypes: ['order'], requiredCertifications: ['SOC-2'] },
      selfInstantiation: { allowedSubAgentPurposes: ['research'] },
    }
    const ofAgent = { scope: { counterparties: ['shop.example', '*.example.org', 'merchant:42'] } }
    expect(errorsOf(ofEndpoint, 'endpoint')).to.deep.equal([])
    expect(errorsOf(ofAgent, 'agent')).to.deep.equal([])
    expect(errorsOf(ofAgent, 'endpoint')).to.deep.equal(['/scope/counterparties unknown_key'])
    expect(errorsOf(ofEndpoint, 'agent')).to.deep.equal([
      '/limits/maxCumulativeSpend unknown_key',
      '/limits/cumulativePeriod unknown_key',
      '/scope/deniedResources unknown_key',
      '/scope/resourceTypes unknown_key',
      '/scope/requiredCertifications unknown_key',
      '/selfInstantiation/allowedSubAgentPurposes unknown_key',
    ])
  })

  it('can be described in JSON Schema', () => {
    for (const schema of [agentPdlssSchema, endpointPdlssSchema]) {
      expect(z.toJSONSchema(schema, { io: 'input' })).to.have.nested.property('properties.limits')
    }
  })

  describe('is rejected with', () => {
    const refusals: [string, unknown, string][] = [
      ['an unknown dimension', { purposes: {} }, '/purposes unknown_key'],
      ['a misspelt rule', { purpose: { allowedAction: [] } }, '/purpose/allowedAction unknown_key'],
      [
        'a misspelt hour',
        { duration: { allowedHours: { start: 1, end: 3, finish: 2 } } },
        '/duration/allowedHours/finish unknown_key',
      ],
      ['a dimension that is null', { purpose: null }, '/purpose invalid_type'],
      ['no object', [], ' invalid_type'],
      [
        'a wildcard for an action',
        { purpose: { deniedActions: ['payments.*'] } },
        '/purpose/deniedActions/0 invalid_format',
      ],
      [
        'more than 100 categories',
        { purpose: { categories: Array(101).fill('a') } },
        '/purpose/categories too_big',
      ],
      ['day 7', { duration: { allowedDays: [7] } }, '/duration/allowedDays/0 too_big'],
      ['half a day', { duration: { allowedDays: [1.5] } }, '/duration/allowedDays/0 invalid_type'],
      [
        'hour 25',
        { duration: { allowedHours: { start: 0, end: 25 } } },
        '/duration/allowedHours/end too_big',
      ],
      [
        'an empty window',
        { duration: { allowedHours: { start: 9, end: 9 } } },
        '/duration/allowedHours custom',
      ],
      [
        'a window from 24',
        { duration: { allowedHours: { start: 24, end: 9 } } },
        '/duration/allowedHours/start custom',
      ],
      ['an unknown zone', { duration: { timezone: 'Mars/Olympus' } }, '/duration/timezone unknown_time_zone'],
      ['a fixed offset', { duration: { timezone: '+02:00' } }, '/duration/timezone unknown_time_zone'],
      [
        'a session of zero seconds',
        { duration: { maxSessionDuration: 0 } },
        '/duration/maxSessionDuration too_small',
      ],
      ['a negative amount', { limits: { autonomousThreshold: -1 } }, '/limits/autonomousThreshold too_small'],
      [
        'an amount of 16 digits',
        { limits: { autonomousThreshold: 100000000000.1234 } },
        '/limits/autonomousThreshold custom',
      ],
      [
        'an amount as text',
        { limits: { autonomousThreshold: '100' } },
        '/limits/autonomousThreshold invalid_type',
      ],
      ['a currency in lower case', { limits: { currency: 'usd' } }, '/limits/currency invalid_format'],
      [
        'stepUpThreshold below autonomousThreshold',
        { limits: { autonomousThreshold: 100, stepUpThreshold: 50 } },
        '/limits/stepUpThreshold contradictory',
      ],
      [
        'approvalThreshold below autonomousThreshold',
        { limits: { autonomousThreshold: 100, approvalThreshold: 50 } },
        '/limits/approvalThreshold contradictory',
      ],
      [
        'approvalThreshold below stepUpThreshold',
        { limits: { stepUpThreshold: 100, approvalThreshold: 50 } },
        '/limits/approvalThreshold contradictory',
      ],
      ['a bad glob', { scope: { resources: ['/ok', '/{a'] } }, '/scope/resources/1 invalid_glob'],
      [
        'an unknown policy',
        { scope: { unverifiedCounterpartyPolicy: 'maybe' } },
        '/scope/unverifiedCounterpartyPolicy invalid_value',
      ],
      [
        'a score over 100',
        { scope: { minCounterpartyTrustScore: 101 } },
        '/scope/minCounterpartyTrustScore too_big',
      ],
      [
        'a URL as counterparty',
        { scope: { counterparties: ['https://shop.example'] } },
        '/scope/counterparties/0 custom',
      ],
      [
        'a depth as text',
        { selfInstantiation: { maxDepth: '1' } },
        '/selfInstantiation/maxDepth invalid_type',
      ],
    ]
    for (const [what, pdlss, error] of refusals) {
      it(what, () => {
        expect(errorsOf(pdlss)).to.deep.equal([error])
      })
    }

    it('its prototype as a key', () => {
      expect(errorsOf(JSON.parse('{"__proto__": {"purpose": {}}}'))).to.deep.equal(['/__proto__ unknown_key'])
      expect(errorsOf(JSON.parse('{"limits": {"__proto__": {}}}'))).to.deep.equal([
        '/limits/__proto__ unknown_key',
      ])
    })
  })

  it('may have equal thresholds', () => {
    const same = { autonomousThreshold: 100, stepUpThreshold: 100, approvalThreshold: 100 }
    expect(errorsOf({ limits: same })).to.deep.equal([])
  })
})
