import { intersectPolicies } from '@svc/core/access/intersectPolicies.ts'
import { compileLimits } from '@svc/core/pdlss/compileLimits.ts'
import { compilePurpose } from '@svc/core/pdlss/compilePurpose.ts'
import type { Pdlss } from '@svc/core/pdlss/pdlss.ts'
import { expect } from 'chai'
import fc from 'fast-check'
import { scaleCaseCount } from '../../harness/values/scaleCaseCount.ts'
import { arbitraryCase } from './arbitraryCases.ts'
import { AGENT, ENDPOINT } from './twoBoundaries.ts'

describe('the applied policy of two boundaries', () => {
  it('is the intersection of both boundaries as values', () => {
    expect(intersectPolicies(AGENT, ENDPOINT)).to.deep.equal({
      purpose: {
        categories: ['shopping'],
        allowedActions: ['shopping.search'],
        deniedActions: ['wipe', 'drop'],
      },
      duration: {
        maxSessionDuration: 1800,
        ttl: 600,
        allowedDays: [1, 2],
        timezone: 'Europe/Berlin',
        furtherWindow: { allowedHours: { start: 9, end: 17 }, timezone: 'UTC' },
      },
      limits: {
        autonomousThreshold: 100,
        stepUpThreshold: 300,
        approvalThreshold: 300,
        maxTransactionsPerHour: 10,
        currency: 'USD',
        maxCumulativeSpend: 1000,
        cumulativePeriod: undefined,
        cumulativeScope: undefined,
      },
      scope: {
        jurisdictions: ['DE'],
        resources: ['/a/**'],
        unverifiedCounterpartyPolicy: undefined,
        minCounterpartyTrustScore: undefined,
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
        const applied = intersectPolicies(agent, endpoint)
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
      { numRuns: scaleCaseCount(2_000) },
    )
  })

  const selfOf = (agent: object, endpoint: object) =>
    intersectPolicies({ selfInstantiation: agent }, { selfInstantiation: endpoint }).selfInstantiation

  it('allows sub-agents if the agent may create them and the endpoint does not forbid it', () => {
    expect(selfOf({ allowed: true }, {}).allowed).to.equal(true)
    expect(selfOf({ allowed: true }, { allowed: true }).allowed).to.equal(true)
    expect(selfOf({ allowed: true }, { allowed: false }).allowed).to.equal(false)
    expect(selfOf({ allowed: false }, { allowed: true }).allowed).to.equal(false)
    expect(selfOf({}, { allowed: true }).allowed).to.equal(false)
  })

  for (const name of ['inheritPermissions', 'requireApproval'] as const) {
    it(`has ${name} if either side has it`, () => {
      expect(selfOf({ [name]: true }, {})[name]).to.equal(true)
      expect(selfOf({}, { [name]: true })[name]).to.equal(true)
      expect(selfOf({ [name]: true }, { [name]: false })[name]).to.equal(true)
      expect(selfOf({ [name]: false }, { [name]: false })[name]).to.equal(false)
      expect(selfOf({}, {})[name]).to.equal(false)
    })
  }

  it('expands a bare action to that action in each category, and does not match it as a suffix of another name', () => {
    const actionsOf = (left: string, right: string) =>
      intersectPolicies({ purpose: { allowedActions: [left] } }, { purpose: { allowedActions: [right] } })
        .purpose.allowedActions
    expect(actionsOf('shop.search', 'search')).to.deep.equal(['shop.search'])
    expect(actionsOf('search', 'shop:search')).to.deep.equal(['shop.search'])
    expect(actionsOf('research', 'search')).to.deep.equal([])
    expect(actionsOf('search', 'research')).to.deep.equal([])
  })

  it('has no window from a side that names no day and no hour', () => {
    for (const duration of [{ allowedDays: [] }, { timezone: 'Asia/Tokyo' }]) {
      expect(intersectPolicies({ duration }, {}).duration).to.not.have.any.keys('allowedDays', 'timezone')
    }
  })

  it('has the form of a PDLSS object, to which it adds what cannot be intersected as a value', () => {
    const scoped = (resources: string[]) => ({ scope: { resources } })
    const resourcesOf = (own: string[], theirs: string[]) => {
      const { resources, furtherResources } = intersectPolicies(scoped(own), scoped(theirs)).scope
      return { resources, furtherResources }
    }
    expect(resourcesOf(['/a', '/a'], [])).to.deep.equal({ resources: ['/a'], furtherResources: undefined })
    const narrower = { resources: ['/a'], furtherResources: undefined }
    expect(resourcesOf(['/a', '/b'], ['/a'])).to.deep.equal(narrower)
    expect(resourcesOf(['/a'], ['/b', '/a'])).to.deep.equal(narrower)
    expect(resourcesOf(['/a'], ['/*'])).to.deep.equal({ resources: ['/a'], furtherResources: ['/*'] })
    const duration = { allowedDays: [2, 1], timezone: 'Europe/Berlin' }
    const { allowedDays, furtherWindow } = intersectPolicies({ duration }, { duration }).duration
    expect([allowedDays, furtherWindow]).to.deep.equal([[1, 2], undefined])
    const boundary = {
      scope: { unverifiedCounterpartyPolicy: 'deny', minCounterpartyTrustScore: 50 },
    } as const
    expect(intersectPolicies(boundary, {}).scope).to.include(boundary.scope)
  })
})
