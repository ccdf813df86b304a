import { agentPdlssSchema, endpointPdlssSchema, type Pdlss, type PdlssSide } from '@svc/core/pdlss/pdlss.ts'
import { expect } from 'chai'
import fc from 'fast-check'
import { describeBoundary, limitsNothing } from '../../../web/src/parts/pdlss/describeBoundary.ts'
import { scaleCaseCount } from '../../harness/values/scaleCaseCount.ts'

const names = fc.uniqueArray(fc.constantFrom('alpha', 'beta', 'gamma', 'delta'), { maxLength: 3 })
const number = fc.integer({ min: 1, max: 9_999 })
const yesNo = fc.boolean()

/** Every field of a boundary with a value; the thresholds in their order. */
const FIELDS = {
  purpose: { categories: names, allowedActions: names, deniedActions: names },
  duration: {
    ...{ maxSessionDuration: number, ttl: number, timezone: fc.constantFrom('Europe/Berlin', 'UTC') },
    allowedDays: fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { maxLength: 7 }),
    allowedHours: fc.constantFrom({ start: 9, end: 17 }, { start: 22, end: 6 }),
  },
  limits: {
    ...{
      autonomousThreshold: fc.integer({ min: 0, max: 99 }),
      stepUpThreshold: fc.integer({ min: 100, max: 199 }),
    },
    ...{ approvalThreshold: fc.integer({ min: 200, max: 299 }), maxTransactionsPerHour: number },
    currency: fc.constantFrom('EUR', 'USDC'),
  },
  scope: {
    ...{
      jurisdictions: names,
      resources: names,
      minCounterpartyTrustScore: fc.integer({ min: 0, max: 100 }),
    },
    unverifiedCounterpartyPolicy: fc.constantFrom('deny', 'warn', 'allow'),
  },
  selfInstantiation: {
    ...{ allowed: yesNo, inheritPermissions: yesNo, requireApproval: yesNo },
    ...{ maxSubAgents: number, maxDepth: fc.integer({ min: 1, max: 100 }) },
  },
} as const

/** The fields that only one side has. */
const ONLY = {
  agent: { ...FIELDS, scope: { ...FIELDS.scope, counterparties: names } },
  endpoint: {
    ...FIELDS,
    limits: {
      ...FIELDS.limits,
      maxCumulativeSpend: number,
      cumulativePeriod: fc.constantFrom('hour', 'day', 'week', 'month', 'total'),
      cumulativeScope: fc.constantFrom('agent', 'owner', 'endpoint'),
    },
    scope: {
      ...FIELDS.scope,
      ...{ deniedResources: names, resourceTypes: names, requiredCertifications: names },
    },
    selfInstantiation: { ...FIELDS.selfInstantiation, allowedSubAgentPurposes: names },
  },
} as const

const optional = (fields: Record<string, fc.Arbitrary<unknown>>) =>
  fc.option(fc.record(fields, { requiredKeys: [] }), { nil: undefined })
const boundaryOf = (side: PdlssSide): fc.Arbitrary<Pdlss> =>
  fc
    .record(Object.fromEntries(Object.entries(ONLY[side]).map(([name, fields]) => [name, optional(fields)])))
    .map((boundary) => (side === 'agent' ? agentPdlssSchema : endpointPdlssSchema).parse(boundary) as Pdlss)

const textOf = (boundary: Pdlss, side: PdlssSide) =>
  describeBoundary(boundary, side)
    .flatMap(({ sentences }) => sentences)
    .join(' ')

/** Rules that change nothing without another one. */
const DEPENDENT = ['cumulativePeriod', 'cumulativeScope']

describe('describeBoundary', () => {
  it('knows every field of both schemas, so that the properties below are about all of them', () => {
    for (const [side, schema] of [
      ['agent', agentPdlssSchema],
      ['endpoint', endpointPdlssSchema],
    ] as const) {
      for (const [dimension, fields] of Object.entries(ONLY[side])) {
        const inner = schema.shape[dimension as keyof typeof schema.shape].unwrap() as { shape: object }
        expect(Object.keys(fields)).to.have.members(Object.keys(inner.shape))
      }
    }
  })

  for (const side of ['agent', 'endpoint'] as const) {
    it(`speaks of every rule of an ${side}’s boundary: without it, the sentences are others`, () => {
      fc.assert(
        fc.property(boundaryOf(side), (boundary) => {
          for (const [dimension, rules] of Object.entries(boundary)) {
            for (const [field, value] of Object.entries(rules ?? {})) {
              if (isSilent(side, field, value)) continue
              const { [field]: _, ...others } = rules as Record<string, unknown>
              const without = { ...boundary, [dimension]: others } as Pdlss
              expect(textOf(without, side), `${dimension}.${field}`).not.to.equal(textOf(boundary, side))
            }
          }
        }),
        { numRuns: scaleCaseCount(300) },
      )
    })

    it(`says every name and nothing about dimensions without rules, of an ${side}`, () => {
      fc.assert(
        fc.property(boundaryOf(side), (boundary) => {
          const described = describeBoundary(boundary, side)
          const dimensions = ['purpose', 'duration', 'limits', 'scope', 'selfInstantiation'] as const
          for (const [at, dimension] of dimensions.entries()) {
            const { sentences = [] } = described[at] ?? {}
            const rules = Object.values(boundary[dimension] ?? {})
            for (const name of rules.flatMap((rule) => (Array.isArray(rule) ? rule : []))) {
              if (typeof name === 'string') expect(sentences.join(' ')).to.include(name)
            }
            const isSaid = rules.some((rule) => !Array.isArray(rule) || rule.length > 0)
            const expected = side === 'agent' && dimension === 'selfInstantiation' ? 1 : 0
            if (!isSaid) expect(sentences).to.have.lengthOf(expected)
          }
        }),
        { numRuns: scaleCaseCount(300) },
      )
    })
  }

  /** Whether a rule changes nothing: an empty list, one that needs another, and one that repeats the default. */
  function isSilent(side: PdlssSide, field: string, value: unknown): boolean {
    if (Array.isArray(value) && value.length === 0) return true
    if (side === 'agent' && field === 'allowed') return value === false
    return DEPENDENT.includes(field) || (side === 'endpoint' && field === 'unverifiedCounterpartyPolicy')
  }

  const spend: [what: string, limits: Pdlss['limits'], sentences: string[]][] = [
    [
      'a spend that is granted, asked about and never more',
      { autonomousThreshold: 50, approvalThreshold: 500, currency: 'EUR' },
      [
        'May spend less than €50.00 on its own, asks its owner below €500.00, and never spends more.',
        'May spend only EUR.',
      ],
    ],
    [
      'a spend that is never asked about',
      { approvalThreshold: 500 },
      ['May spend less than 500 on its own, and never more.'],
    ],
    [
      'a spend about which the owner is always asked',
      { autonomousThreshold: 0, approvalThreshold: 500 },
      ['May spend nothing on its own, asks its owner below 500, and never spends more.'],
    ],
    [
      'a spend that needs a passkey',
      { autonomousThreshold: 50, stepUpThreshold: 100, approvalThreshold: 500 },
      [
        'May spend less than 50 on its own, asks its owner below 500, and never spends more.',
        'From 100 on, the owner approves each request with a passkey.',
      ],
    ],
    ['no spend at all', { approvalThreshold: 0 }, ['May never spend anything.']],
    [
      'what all callers may spend together',
      { maxCumulativeSpend: 500, cumulativeScope: 'endpoint', cumulativePeriod: 'total' },
      ['All callers together may spend at most 500 in total.'],
    ],
    ['a single purchase', { maxTransactionsPerHour: 1 }, ['Each agent may make at most 1 purchase an hour.']],
  ]
  for (const [what, limits, sentences] of spend) {
    it(`describes ${what}`, () => {
      expect(describeBoundary({ limits }, 'endpoint')[2]?.sentences).to.deep.equal(sentences)
    })
  }

  it('describes days from Monday on, hours over midnight, and lengths in the largest units', () => {
    const duration = {
      ...{ allowedDays: [0, 6, 1], allowedHours: { start: 22, end: 6 }, timezone: 'Europe/Berlin' },
      ...{ maxSessionDuration: 5_400, ttl: 1 },
    }
    expect(describeBoundary({ duration }, 'agent')[1]?.sentences).to.deep.equal([
      'Sessions last at most 1 hour and 30 minutes.',
      'Session tokens are valid for 1 second.',
      'Only on Monday, Saturday and Sunday.',
      'Only from 22:00 to 06:00 of the next day.',
      'Days and hours are those of Europe/Berlin.',
    ])
  })

  it('says of an empty boundary that it limits nothing, also if its lists are empty', () => {
    for (const side of ['agent', 'endpoint'] as const) {
      expect(limitsNothing({}, side)).to.equal(true)
      expect(limitsNothing({ purpose: { categories: [] }, limits: {} }, side)).to.equal(true)
      expect(limitsNothing({ purpose: { deniedActions: ['refund'] } }, side)).to.equal(false)
    }
    expect(limitsNothing({ scope: { unverifiedCounterpartyPolicy: 'deny' } }, 'agent')).to.equal(false)
    expect(textOf({}, 'agent')).to.equal('May not create sub-agents.')
    expect(textOf({}, 'endpoint')).to.equal('')
  })
})
