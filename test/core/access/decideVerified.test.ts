import { determineCounterNeeds } from '@svc/core/access/counters.ts'
import { decideVerified } from '@svc/core/access/decideVerified.ts'
import type { Decision, DecisionVersion } from '@svc/core/access/decision.ts'
import { HARD_DIMENSIONS } from '@svc/core/access/findings.ts'
import { decodeResource } from '@svc/core/glob/decodeResource.ts'
import { compilePolicy } from '@svc/core/pdlss/compilePolicy.ts'
import { type Pdlss, parsePdlss } from '@svc/core/pdlss/pdlss.ts'
import { expect } from 'chai'
import fc from 'fast-check'
import { faultMode } from '../../harness/faults/faultMode.ts'
import { reportFaultFigure } from '../../harness/faults/reportFaultFigure.ts'
import { scaleCaseCount } from '../../harness/values/scaleCaseCount.ts'
import { arbitraryCase } from './arbitraryCases.ts'
import { dimensionsOf, inputOf } from './arbitraryInput.ts'
import { buildVerifiedInput } from './buildVerifiedInput.ts'
import { decideNaively } from './decideNaively.ts'

/** The full run takes minutes. */
const RUNS = { none: 3_000, short: 50_000, full: 1_000_000 }[faultMode]

/** Cases decided mostly by the agent's own boundary and rules, so that many of them require the owner's approval. */
const askingCase = arbitraryCase.map((one) => ({
  ...one,
  endpoint: {},
  request: { ...one.request, certifications: [] },
  facts: {
    ...one.facts,
    status: 'active',
    endpointStatus: 'active' as const,
    trustScore: 70,
    challenge: 'not_issued' as const,
  },
}))

const hardOf = (decision: Decision) =>
  dimensionsOf(decision).filter((dimension) => HARD_DIMENSIONS.some((hard) => hard === dimension))

describe('a decision on a registered agent', () => {
  it('equals that of a naive twin that reads the rules one by one', function () {
    this.timeout(0)
    const seen = new Map<string, number>()
    fc.assert(
      fc.property(arbitraryCase, (one) => {
        const decision = decideVerified(inputOf(one))
        const expected = decideNaively(one)
        seen.set(expected.recommendation, (seen.get(expected.recommendation) ?? 0) + 1)
        expect({
          recommendation: decision.recommendation,
          accessLevel: decision.access.accessLevel,
          dimensions: dimensionsOf(decision),
        }).to.deep.equal(expected)
      }),
      { numRuns: RUNS },
    )
    const counts = [...seen].map(([recommendation, count]) => `${count} × ${recommendation}`)
    reportFaultFigure(`${RUNS} random cases, 0 differences from the naive twin: ${counts.join(', ')}`)
    expect([...seen.keys()]).to.have.members(['grant', 'deny', 'step_up_required'])
  })

  it('is tested with random boundaries that the schema accepts', () => {
    fc.assert(
      fc.property(arbitraryCase, ({ agent, endpoint }) => {
        expect(parsePdlss(agent, 'agent').ok).to.equal(true)
        expect(parsePdlss(endpoint, 'endpoint').ok).to.equal(true)
      }),
      { numRuns: scaleCaseCount(1_000) },
    )
  })

  it('fails on exactly what either side by itself fails on', () => {
    const open: Pdlss = { selfInstantiation: { allowed: true } }
    fc.assert(
      fc.property(arbitraryCase, (one) => {
        const both = hardOf(decideVerified(inputOf(one)))
        const currency =
          one.request.currency ?? one.endpoint.limits?.currency ?? one.agent.limits?.currency ?? 'EUR'
        const stated = { ...one, request: { ...one.request, currency } }
        const agentAlone = hardOf(decideVerified(inputOf({ ...stated, endpoint: {} })))
        const facts = { ...one.facts, ancestorMaxTransactionsPerHour: [] }
        const endpointAlone = hardOf(decideVerified(inputOf({ ...stated, agent: open, rules: [], facts })))
        expect(both).to.have.members([...new Set([...agentAlone, ...endpointAlone])])
      }),
      { numRuns: scaleCaseCount(5_000) },
    )
  })

  it('lists under version 2 what a refused counterparty may not learn since', () => {
    const hidden = fc.sample(arbitraryCase, { numRuns: scaleCaseCount(5_000), seed: 3 }).filter((one) => {
      // Version 7 judges a value without a currency otherwise.
      const stated = { ...one, request: { currency: 'USD', ...one.request } }
      const now = decideVerified(inputOf(stated))
      const then = decideVerified({ ...inputOf(stated), version: 2 })
      expect(then.recommendation).to.equal(now.recommendation)
      expect(dimensionsOf(then)).to.include.members(dimensionsOf(now))
      return dimensionsOf(then).length > dimensionsOf(now).length
    })
    expect(hidden.length).to.be.greaterThan(0)
    for (const one of hidden) {
      const dimensions = dimensionsOf(decideVerified(inputOf(one)))
      const ofMandate = dimensions.filter((dimension) => /^pdlss|approval_required$/.test(dimension))
      expect([
        one.facts.sharesOwner,
        ...ofMandate.filter((dimension) => dimension !== 'pdlss.scope'),
      ]).to.deep.equal([false])
    }
  })

  it('reads a resource in every way under version 4, and denies one with too long readings since', () => {
    const denies = (resource: string, version: DecisionVersion) => {
      const scope = { deniedResources: ['/admin/**'] }
      const plainResource = decodeResource(resource)
      return compilePolicy({ scope }, 'endpoint', version).scope.refusesResource({ resource, plainResource })
    }
    const long = ` https:%2f%2fh;x/${'a'.repeat(1_700)};p%3bq%3fz?q;z%23k#r;y%20 `
    expect([2, 3, 4, 5].map((version) => denies(long, version as DecisionVersion))).to.deep.equal([
      ...[false, false, false, true],
    ])
    const admin = long.replace('/a', '/admin/a')
    expect([4, 5].map((version) => denies(admin, version as DecisionVersion))).to.deep.equal([true, true])
  })

  it('is deterministic', () => {
    fc.assert(
      fc.property(arbitraryCase, (one) => {
        const input = inputOf(one)
        expect(decideVerified(input)).to.deep.equal(decideVerified(input))
        expect(decideVerified(inputOf(structuredClone(one)))).to.deep.equal(decideVerified(input))
      }),
      { numRuns: scaleCaseCount(1_000) },
    )
  })

  it('is granted by an approval of every dimension it asks for, and by no fewer', () => {
    fc.assert(
      fc.property(askingCase, fc.nat(), fc.boolean(), (one, nth, isFreshAssertion) => {
        const input = inputOf(one)
        const before = decideVerified(input)
        fc.pre(before.recommendation === 'step_up_required')
        const toApprove = before.approvalDimensions
        const withApproval = (dimensions: typeof toApprove, approved: boolean) =>
          decideVerified({ ...input, approval: { dimensions, approved, isFreshAssertion } })
        const after = withApproval(toApprove, true)
        const isEnough = isFreshAssertion || !before.needsFreshAssertion
        expect(after.recommendation).to.equal(isEnough ? 'grant' : 'step_up_required')
        expect(after.consumesApproval).to.equal(isEnough)
        const less = toApprove.filter((_, index) => index !== nth % toApprove.length)
        expect(withApproval(less, true)).to.deep.equal(before)
        expect(withApproval(toApprove, false)).to.deep.equal(before)
      }),
      { numRuns: scaleCaseCount(1_000) },
    )
  })

  it('takes a value without a currency for one in the endpoint’s, since version 7', () => {
    const decide = (own: string | undefined, theirs: string | undefined, changes: object = {}) => {
      const input = buildVerifiedInput({}, { transactionValue: 9 })
      const policyOf = (side: 'agent' | 'endpoint', currency: string | undefined) =>
        compilePolicy({ limits: { approvalThreshold: 10, ...(currency && { currency }) } }, side)
      return decideVerified({
        ...input,
        agent: { ...input.agent, policy: policyOf('agent', own) },
        endpoint: { ...input.endpoint, policy: policyOf('endpoint', theirs) },
        ...changes,
      })
    }
    expect(dimensionsOf(decide('USD', 'EUR'))).to.deep.equal(['pdlss.limits'])
    expect(decide('USD', 'EUR', { version: 6 }).recommendation).to.not.equal('deny')
    for (const [own, theirs] of [
      ['USD', 'USD'],
      ['USD', undefined],
      [undefined, 'EUR'],
      [undefined, undefined],
    ]) {
      expect(decide(own, theirs)).to.deep.equal(decide(own, theirs, { version: 6 }))
    }
  })

  it('depends on no counter that it has not declared', () => {
    fc.assert(
      fc.property(arbitraryCase, (one) => {
        const input = inputOf(one)
        const needs = determineCounterNeeds(input.agent.policy, input.endpoint.policy, input.request, one.now)
        const { agentGrantsLastHour, ancestorGrantsLastHour, ...theirs } = one.facts
        const { endpointGrantsLastHour, cumulativeSpend } = theirs
        const counters = {
          ...(needs.agentGrantsLastHour ? { agentGrantsLastHour, ancestorGrantsLastHour } : {}),
          ...(needs.endpointGrantsLastHour ? { endpointGrantsLastHour } : {}),
          ...(needs.cumulativeSpend ? { cumulativeSpend } : {}),
        }
        expect(decideVerified({ ...input, counters })).to.deep.equal(decideVerified(input))
        if (needs.cumulativeSpend) expect(needs.cumulativeSpend.since).to.be.at.most(one.now)
      }),
      { numRuns: scaleCaseCount(3_000) },
    )
  })
})
