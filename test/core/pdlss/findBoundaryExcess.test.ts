import { compileApprovalRules } from '@svc/core/access/approvalRules.ts'
import { decideVerified } from '@svc/core/access/decideVerified.ts'
import { parseRequestFields } from '@svc/core/access/verificationRequest.ts'
import { compilePolicy } from '@svc/core/pdlss/compilePolicy.ts'
import { findBoundaryExcess } from '@svc/core/pdlss/findBoundaryExcess.ts'
import { inheritBoundary } from '@svc/core/pdlss/inheritBoundary.ts'
import { type Pdlss, parsePdlss } from '@svc/core/pdlss/pdlss.ts'
import { expect } from 'chai'
import fc from 'fast-check'
import { scaleCaseCount } from '../../harness/values/scaleCaseCount.ts'
import { type ArbitraryCase, arbitraryCase } from '../access/arbitraryCases.ts'

/** Random cases per property. */
const CASES = scaleCaseCount(3_000)
const NO_RULES = compileApprovalRules([])
const ANYTHING = compilePolicy({}, 'endpoint')
const OPEN: Pdlss = { selfInstantiation: { allowed: true } }

const fieldsBeyond = (child: Pdlss, parent: Pdlss) =>
  findBoundaryExcess(child, parent).map(({ pointer }) => pointer.replace('/pdlss/', ''))

/** The dimensions of the mandate on which a boundary fails or requires approval, as decisions find them. */
function found(pdlss: Pdlss, { request, facts, now }: ArbitraryCase): string[] {
  const parsed = parseRequestFields({ ...request, subAgent: undefined })
  if (!parsed.ok) return []
  const decision = decideVerified({
    agent: {
      svcId: 'SVC-0000000000000000000001',
      ownerIdentifiers: [],
      status: 'active',
      trustScore: 100,
      certifications: undefined,
      policy: compilePolicy(pdlss, 'agent'),
      approvalRules: NO_RULES,
    },
    endpoint: {
      status: 'active',
      tier: facts.tier,
      trustScoreRequirement: 0,
      unverifiedAgentPolicy: 'deny',
      allowlist: undefined,
      policy: ANYTHING,
      host: facts.host,
    },
    request: parsed.request,
    sharesOwner: false,
    counters: { agentGrantsLastHour: facts.agentGrantsLastHour },
    challenge: 'not_issued',
    approval: null,
    now,
  })
  return (decision.access.failures ?? []).map(({ dimension }) => dimension)
}

describe('findBoundaryExcess', () => {
  it('lets a sub-agent do nothing that its parent cannot do', () => {
    let contained = 0
    fc.assert(
      fc.property(fc.array(arbitraryCase, { minLength: 1, maxLength: 6 }), arbitraryCase, (cases, other) => {
        const [parent, child] = [other.agent, cases[0]?.agent ?? {}]
        for (const own of [child, inheritBoundary(child, parent)]) {
          if (findBoundaryExcess(own, parent).length > 0) continue
          contained += 1
          for (const each of [other, ...cases]) {
            if (found(parent, each).length > 0) {
              expect(found(own, each), JSON.stringify({ own, parent })).not.to.deep.equal([])
            }
          }
        }
      }),
      { numRuns: CASES },
    )
    expect(contained).to.be.above(CASES / 3)
  })

  it('finds an inherited boundary within its parent and well-formed', () => {
    fc.assert(
      fc.property(arbitraryCase, ({ agent }) => {
        const parent = { ...agent, selfInstantiation: { ...agent.selfInstantiation, allowed: true } }
        const inherited = inheritBoundary({}, parent)
        expect(fieldsBeyond(inherited, parent)).to.deep.equal([])
        expect(parsePdlss(JSON.parse(JSON.stringify(inherited)), 'agent').ok).to.equal(true)
      }),
    )
  })

  const parent: Pdlss = {
    ...OPEN,
    purpose: {
      categories: ['Shopping'],
      allowedActions: ['buy', 'data.read'],
      deniedActions: ['data.delete'],
    },
    duration: { maxSessionDuration: 600, ttl: 60, allowedDays: [5], allowedHours: { start: 22, end: 2 } },
    limits: { autonomousThreshold: 100, stepUpThreshold: 200, approvalThreshold: 500, currency: 'USD' },
    scope: {
      jurisdictions: ['us'],
      resources: ['/shop/**'],
      counterparties: ['*.acme.io', 'merchant:7'],
      unverifiedCounterpartyPolicy: 'warn',
      minCounterpartyTrustScore: 50,
    },
    selfInstantiation: { allowed: true, maxSubAgents: 5, maxDepth: 2, requireApproval: true },
  }
  // Computed within each test, so that a changed inheritance is noticed by all of them.
  const inherited = () => inheritBoundary({}, parent)
  const same = inherited()

  for (const [name, change, beyond] of [
    ['another category', { purpose: { ...same.purpose, categories: ['data'] } }, 'purpose/categories'],
    ['no category', { purpose: { ...same.purpose, categories: [] } }, 'purpose/categories'],
    [
      'a bare action for a qualified one',
      { purpose: { ...same.purpose, allowedActions: ['read'] } },
      'purpose/allowedActions',
    ],
    [
      'an action removed from the denied ones',
      { purpose: { ...same.purpose, deniedActions: [] } },
      'purpose/deniedActions',
    ],
    [
      'a longer session',
      { duration: { ...same.duration, maxSessionDuration: 601 } },
      'duration/maxSessionDuration',
    ],
    ['no token lifetime', { duration: { ...same.duration, ttl: undefined } }, 'duration/ttl'],
    ['an additional day', { duration: { ...same.duration, allowedDays: [5, 6] } }, 'duration/allowedHours'],
    ['another zone', { duration: { ...same.duration, timezone: 'Asia/Kathmandu' } }, 'duration/allowedHours'],
    [
      'a higher first threshold',
      { limits: { ...same.limits, autonomousThreshold: 100.01 } },
      'limits/autonomousThreshold',
    ],
    [
      'no fresh approval',
      { limits: { ...same.limits, stepUpThreshold: undefined } },
      'limits/stepUpThreshold',
    ],
    [
      'a higher Hard Limit',
      { limits: { ...same.limits, approvalThreshold: 501 } },
      'limits/approvalThreshold',
    ],
    ['another currency', { limits: { ...same.limits, currency: 'EUR' } }, 'limits/currency'],
    [
      'another jurisdiction',
      { scope: { ...same.scope, jurisdictions: ['US', 'DE'] } },
      'scope/jurisdictions',
    ],
    ['other resources', { scope: { ...same.scope, resources: ['/shop/a', '/b'] } }, 'scope/resources'],
    [
      'a host instead of its subdomains',
      { scope: { ...same.scope, counterparties: ['acme.io'] } },
      'scope/counterparties',
    ],
    [
      'a laxer rule',
      { scope: { ...same.scope, unverifiedCounterpartyPolicy: 'allow' } },
      'scope/unverifiedCounterpartyPolicy',
    ],
    [
      'a lower score',
      { scope: { ...same.scope, minCounterpartyTrustScore: 49 } },
      'scope/minCounterpartyTrustScore',
    ],
    [
      'more sub-agents',
      { selfInstantiation: { ...same.selfInstantiation, maxSubAgents: 6 } },
      'selfInstantiation/maxSubAgents',
    ],
    [
      'as many levels as the parent',
      { selfInstantiation: { ...same.selfInstantiation, maxDepth: 2 } },
      'selfInstantiation/maxDepth',
    ],
    [
      'no approval',
      { selfInstantiation: { ...same.selfInstantiation, requireApproval: false } },
      'selfInstantiation/requireApproval',
    ],
  ] as [string, Pdlss, string][]) {
    it(`finds ${name}`, () =>
      expect(fieldsBeyond({ ...inherited(), ...change }, parent)).to.deep.equal([beyond]))
  }

  it('finds nothing in a narrower boundary', () => {
    const child: Pdlss = {
      purpose: {
        categories: ['shopping'],
        allowedActions: ['shop.buy', 'data:read'],
        deniedActions: ['delete'],
      },
      duration: { maxSessionDuration: 60, ttl: 10, allowedDays: [6], allowedHours: { start: 0, end: 2 } },
      limits: { autonomousThreshold: 50, approvalThreshold: 150, currency: 'USD' },
      scope: {
        jurisdictions: ['US'],
        resources: ['/shop/{a,b}/*', '/shop'],
        counterparties: ['*.eu.acme.io', 'www.acme.io', 'merchant:7'],
        unverifiedCounterpartyPolicy: 'deny',
        minCounterpartyTrustScore: 80,
      },
    }
    // Saturday before two o'clock is the end of Friday's night.
    expect(fieldsBeyond(child, parent)).to.deep.equal([])
  })

  it('compares counterparties by kind', () => {
    const excess = (own: string[], above: string[]) =>
      fieldsBeyond({ scope: { counterparties: own } }, { scope: { counterparties: above } })
    for (const [own, above, isWithin] of [
      ['acme.io', 'acme.io', true],
      ['acme.io', 'other.io', false],
      ['www.acme.io', 'acme.io', false],
      ['www.acme.io', '*.acme.io', true],
      ['*.eu.acme.io', '*.acme.io', true],
      ['*.acme.io', '*.acme.io', true],
      ['*.acme.io', 'acme.io', false],
      ['*.acme.io', '*.eu.acme.io', false],
      ['merchant:7', 'merchant:7', true],
      ['merchant:7', 'merchant:8', false],
      ['merchant:7', '*.acme.io', false],
      ['merchant:7', 'acme.io', false],
      ['acme.io', 'merchant:7', false],
      ['*.acme.io', 'merchant:7', false],
      ['not a host', '*.acme.io', false],
      ['www.acme.io', '*.*', false],
    ] as const) {
      const expected = isWithin ? [] : ['scope/counterparties']
      expect(excess([own], [above]), `${own} below ${above}`).to.deep.equal(expected)
    }
    expect(excess(['acme.io'], ['merchant:7', 'acme.io'])).to.deep.equal([])
    expect(excess([], ['acme.io'])).to.deep.equal(['scope/counterparties'])
    expect(excess(['acme.io'], [])).to.deep.equal([])
  })

  it('ignores the case of codes and names, and limits nothing that the parent leaves open', () => {
    const lower: Pdlss = { scope: { jurisdictions: ['de'] } }
    const upper: Pdlss = { scope: { jurisdictions: ['DE'] } }
    expect(fieldsBeyond(lower, upper)).to.deep.equal([])
    expect(fieldsBeyond(upper, lower)).to.deep.equal([])
    expect(
      fieldsBeyond({ purpose: { categories: ['A'] } }, { purpose: { categories: ['a'] } }),
    ).to.deep.equal([])
    expect(fieldsBeyond({ scope: { resources: ['/a'], jurisdictions: ['DE'] } }, {})).to.deep.equal([])
    expect(fieldsBeyond({ limits: { currency: 'EUR' } }, {})).to.deep.equal([])
    expect(fieldsBeyond({}, { scope: { resources: ['/a'] } })).to.deep.equal(['scope/resources'])
    expect(fieldsBeyond({}, { scope: { jurisdictions: ['DE'] } })).to.deep.equal(['scope/jurisdictions'])
    expect(fieldsBeyond({}, { duration: { ttl: 60 } })).to.deep.equal(['duration/ttl'])
  })

  it('finds sub-agents where the parent allows none, and permissions that it would pass on', () => {
    const own: Pdlss = { selfInstantiation: { allowed: true } }
    expect(fieldsBeyond(own, {})).to.deep.equal(['selfInstantiation/allowed'])
    expect(fieldsBeyond(own, { selfInstantiation: { allowed: false } })).to.deep.equal([
      'selfInstantiation/allowed',
    ])
    const passing: Pdlss = { selfInstantiation: { allowed: true, inheritPermissions: true } }
    expect(fieldsBeyond(own, passing)).to.deep.equal(['selfInstantiation/inheritPermissions'])
    expect(fieldsBeyond(passing, passing)).to.deep.equal([])
    expect(fieldsBeyond(passing, own)).to.deep.equal([])
    expect(findBoundaryExcess(own, {})).to.deep.equal([
      {
        pointer: '/pdlss/selfInstantiation/allowed',
        code: 'beyond_parent',
        message: 'allows more than the boundary of the parent',
      },
    ])
  })

  it('reveals none of the parent’s values', () => {
    expect(JSON.stringify(findBoundaryExcess(OPEN, parent))).not.to.match(/500|200|acme|buy|600/)
  })
})
