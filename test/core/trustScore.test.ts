import {
  addOutcome,
  computeTrustScore,
  type OriginFacts,
  type OwnerFacts,
  type TrustFacts,
} from '@svc/core/trustScore.ts'
import { expect } from 'chai'
import fc from 'fast-check'
import { activity, DAY, NAME_ONLY, NOW, ORDINARY, SHOP } from './trustFacts.ts'

const name = fc.option(fc.constantFrom('', 'x'), { nil: undefined })
const origin: fc.Arbitrary<OriginFacts> = fc.record({
  isVouchedFor: fc.boolean(),
  model: fc.option(fc.record({ modelName: name, modelProvider: name, modelType: name }), { nil: undefined }),
  framework: fc.option(fc.record({ frameworkName: name, frameworkVersion: name }), { nil: undefined }),
  hasDescription: fc.boolean(),
  hasAgentType: fc.boolean(),
  hasProtocols: fc.boolean(),
  hasChallengeUrl: fc.boolean(),
  declaredDimensions: fc.integer({ min: 0, max: 5 }),
  hasOnChainIdentity: fc.boolean(),
  certificationCount: fc.integer({ min: 0, max: 100 }),
})
const owner: fc.Arbitrary<OwnerFacts> = fc.record({
  hasVerifiedEmail: fc.boolean(),
  hasVerifiedIdentity: fc.boolean(),
  hasProvenDomain: fc.boolean(),
  hasSecondFactor: fc.boolean(),
})
const facts: fc.Arbitrary<TrustFacts> = fc.record({
  origin,
  owner,
  activity: fc.option(activity, { nil: undefined }),
})

describe('the trust score', () => {
  it('is an integer from 0 to 100', () => {
    fc.assert(
      fc.property(facts, fc.integer({ min: NOW - 400 * DAY, max: NOW + 4000 * DAY }), (agent, now) => {
        expect(computeTrustScore(agent, now)).to.satisfy(Number.isInteger).and.be.within(0, 100)
      }),
    )
  })

  it('of a new agent with only a name and an ordinary owner is 45, the default level', () => {
    expect(computeTrustScore({ origin: NAME_ONLY, owner: ORDINARY }, NOW)).to.equal(45)
    expect(
      computeTrustScore({ origin: NAME_ONLY, owner: { ...ORDINARY, hasVerifiedEmail: true } }, NOW),
    ).to.be.greaterThan(45)
  })

  it('reaches 100 for an agent that has everything and behaves', () => {
    const best = {
      origin: {
        isVouchedFor: true,
        model: { modelName: 'm', modelProvider: 'p', modelType: 'llm' },
        framework: { frameworkName: 'f', frameworkVersion: '1' },
        hasDescription: true,
        hasAgentType: true,
        hasProtocols: true,
        hasChallengeUrl: true,
        declaredDimensions: 5,
        hasOnChainIdentity: true,
        certificationCount: 3,
      },
      owner: {
        hasVerifiedEmail: true,
        hasVerifiedIdentity: true,
        hasProvenDomain: true,
        hasSecondFactor: true,
      },
      activity: { grants: 10_000, violations: 0, at: NOW, sources: [] },
    }
    expect(computeTrustScore(best, NOW)).to.equal(100)
  })

  it('gains five for model and framework', () => {
    const described = {
      ...NAME_ONLY,
      model: { modelName: 'm', modelProvider: 'p', modelType: 'llm' },
      framework: { frameworkName: 'f', frameworkVersion: '1' },
    }
    expect(computeTrustScore({ origin: described, owner: ORDINARY }, NOW)).to.equal(50)
  })

  describe('counts', () => {
    const gained = (origin: Partial<OriginFacts>, owner: Partial<OwnerFacts> = {}) =>
      computeTrustScore({ origin: { ...NAME_ONLY, ...origin }, owner: { ...ORDINARY, ...owner } }, NOW) - 45

    it('each piece of evidence by its points', () => {
      expect(gained({ isVouchedFor: false })).to.equal(-8)
      expect(gained({ hasOnChainIdentity: true })).to.equal(4)
      expect(gained({ hasDescription: true })).to.equal(2)
      expect(gained({ hasProtocols: true })).to.equal(2)
      expect(gained({ hasChallengeUrl: true })).to.equal(2)
      expect(gained({ hasAgentType: true })).to.equal(1)
      expect(gained({ model: { modelName: 'm', modelProvider: '' } })).to.equal(1)
      expect(gained({ framework: { frameworkVersion: '1' } })).to.equal(1)
      expect(gained({ certificationCount: 2 })).to.equal(4)
      expect(gained({}, { hasVerifiedEmail: true })).to.equal(4)
      expect(gained({}, { hasVerifiedIdentity: true })).to.equal(10)
      expect(gained({}, { hasProvenDomain: true })).to.equal(4)
      expect(gained({}, { hasSecondFactor: true })).to.equal(4)
    })

    it('a boundary once when begun and again when complete', () => {
      expect([0, 1, 4, 5].map((declaredDimensions) => gained({ declaredDimensions }))).to.deep.equal([
        0, 1, 1, 2,
      ])
    })

    it('origin up to 30', () => {
      expect(gained({ certificationCount: 50 })).to.equal(18)
    })

    it('grants and violations with diminishing effect', () => {
      const having = (grants: number, violations: number) =>
        computeTrustScore(
          { origin: NAME_ONLY, owner: ORDINARY, activity: { grants, violations, at: NOW, sources: [] } },
          NOW,
        ) - 45
      expect([having(50, 0), having(100, 0), having(1e6, 0)]).to.deep.equal([7, 11, 15])
      expect([having(0, 6), having(0, 12), having(0, 1e6)]).to.deep.equal([-15, -23, -25])
    })
  })

  it('never falls with more evidence, a certification or a grant, and never rises with a violation', () => {
    fc.assert(
      fc.property(facts, (agent) => {
        const score = computeTrustScore(agent, NOW)
        const improved: TrustFacts[] = [
          { ...agent, origin: { ...agent.origin, certificationCount: agent.origin.certificationCount + 1 } },
          { ...agent, origin: { ...agent.origin, isVouchedFor: true } },
          { ...agent, origin: { ...agent.origin, hasOnChainIdentity: true } },
          { ...agent, origin: { ...agent.origin, declaredDimensions: 5 } },
          { ...agent, owner: { ...agent.owner, hasVerifiedIdentity: true } },
          { ...agent, owner: { ...agent.owner, hasSecondFactor: true } },
          { ...agent, activity: addOutcome(agent.activity, { kind: 'granted', source: SHOP }, NOW) },
        ]
        for (const better of improved) expect(computeTrustScore(better, NOW)).to.be.at.least(score)
        const worse = {
          ...agent,
          activity: addOutcome(agent.activity, { kind: 'violation', source: SHOP }, NOW),
        }
        expect(computeTrustScore(worse, NOW)).to.be.at.most(score)
      }),
    )
  })
})
