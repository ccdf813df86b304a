import { decideVerified } from '@svc/core/access/decideVerified.ts'
import type { Pdlss } from '@svc/core/pdlss/pdlss.ts'
import { expect } from 'chai'
import fc from 'fast-check'
import { scaleCaseCount } from '../../harness/values/scaleCaseCount.ts'
import { arbitraryCase } from './arbitraryCases.ts'
import { dimensionsOf, inputOf } from './arbitraryInput.ts'

describe('what a decision reveals of the boundaries', () => {
  /** Boundaries full of values that occur nowhere else. */
  const canaries = (seed: number): { agent: Pdlss; endpoint: Pdlss; words: string[] } => {
    const word = (index: number) => `canary${seed}x${index}`
    const number = (index: number) => 7_770_000 + seed * 100 + index
    const purpose = { categories: [word(1)], allowedActions: [word(2)], deniedActions: [word(3)] }
    const limits = {
      autonomousThreshold: number(1),
      stepUpThreshold: number(2),
      approvalThreshold: number(3),
      maxTransactionsPerHour: number(4) % 1000,
      currency: 'CANARY',
    }
    const duration = { maxSessionDuration: number(5), ttl: number(6), allowedDays: [seed % 7] }
    const agent: Pdlss = {
      purpose,
      limits,
      duration,
      scope: { resources: [word(4)], jurisdictions: [word(5)], counterparties: [word(6)] },
      selfInstantiation: { allowed: true, maxDepth: 0 },
    }
    const endpoint: Pdlss = {
      purpose,
      duration,
      limits: { ...limits, maxCumulativeSpend: number(7) },
      scope: {
        resources: [word(7)],
        deniedResources: [word(8)],
        resourceTypes: [word(9)],
        requiredCertifications: [word(10)],
        minCounterpartyTrustScore: 77,
      },
      selfInstantiation: { allowedSubAgentPurposes: [word(11)], maxDepth: 0 },
    }
    return { agent, endpoint, words: ['canary', 'CANARY', '777', 'x1', '"77"'] }
  }

  it('contains none of their values except the session length, which is for the recorder', () => {
    fc.assert(
      fc.property(
        arbitraryCase,
        fc.nat({ max: 99 }),
        fc.boolean(),
        fc.boolean(),
        (one, seed, mixAgent, mixEndpoint) => {
          const { agent, endpoint, words } = canaries(seed)
          const mixed = {
            ...one,
            agent: mixAgent ? { ...one.agent, limits: agent.limits } : agent,
            endpoint: mixEndpoint ? one.endpoint : endpoint,
          }
          const { sessionSeconds: _session, ...decision } = decideVerified(inputOf(mixed))
          const text = JSON.stringify(decision)
          for (const canary of words) expect(text).not.to.include(canary)
        },
      ),
      { numRuns: scaleCaseCount(3_000) },
    )
  })

  it('reads the same for the same failed dimensions and causes, whatever the values', () => {
    const texts = new Map<string, string>()
    fc.assert(
      fc.property(arbitraryCase, (one) => {
        const { sessionSeconds: _session, ...decision } = decideVerified(inputOf(one))
        if (decision.recommendation === 'grant') return
        const { recommendation, needsFreshAssertion, countsAgainstAgent, access } = decision
        const failed = access.failures?.map(({ dimension, cause }) => `${dimension} ${cause}`)
        const key = [recommendation, needsFreshAssertion, countsAgainstAgent, failed].join()
        const text = JSON.stringify(decision)
        expect(texts.get(key) ?? text).to.equal(text)
        texts.set(key, text)
      }),
      { numRuns: scaleCaseCount(5_000) },
    )
  })

  it('tells anyone but the owner in a dry run only whether the request would be granted', () => {
    fc.assert(
      fc.property(arbitraryCase, (one) => {
        const input = inputOf(one)
        const full = decideVerified(input)
        const told = decideVerified({ ...input, isForeignDryRun: true })
        const isGranted = full.recommendation === 'grant'
        expect(told.recommendation).to.equal(isGranted ? 'grant' : 'deny')
        expect(told.access.accessLevel).to.equal(isGranted ? full.access.accessLevel : 'none')
        expect(dimensionsOf(told)).to.deep.equal(isGranted ? [] : ['mandate'])
        expect(told.recommendationReasons.length).to.equal(1)
        const { approvalDimensions, needsFreshAssertion, countsAgainstAgent, sessionSeconds } = told
        expect({ approvalDimensions, needsFreshAssertion, countsAgainstAgent, sessionSeconds }).to.deep.equal(
          {
            ...{ approvalDimensions: [], needsFreshAssertion: false },
            ...{ countsAgainstAgent: false, sessionSeconds: 0 },
          },
        )
      }),
      { numRuns: scaleCaseCount(2_000) },
    )
  })
})
