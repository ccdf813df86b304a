import { type ActivityFacts, addOutcome, computeTrustScore, decayActivity } from '@svc/core/trustScore.ts'
import { expect } from 'chai'
import fc from 'fast-check'
import { activity, count, DAY, NAME_ONLY, NOW, ORDINARY, SHOP } from './trustFacts.ts'

const scoreOf = (activity: ActivityFacts, now = NOW) =>
  computeTrustScore({ origin: NAME_ONLY, owner: ORDINARY, activity }, now)

/** The history of an agent after `times` outcomes at the counterparties of each of `people`. */
function reported(
  kind: 'granted' | 'violation',
  times: number,
  people = 1,
  hasProvenDomain = true,
): ActivityFacts {
  let activity: ActivityFacts = { grants: 0, violations: 0, at: NOW, sources: [] }
  for (let nth = 0; nth < times * people; nth += 1) {
    activity = addOutcome(activity, { kind, source: sourceOf(nth % people, hasProvenDomain) }, NOW)
  }
  return activity
}

const sourceOf = (nth: number, hasProvenDomain = true) => ({
  id: `person-${String(nth).padStart(4, '0')}`,
  hasProvenDomain,
})

describe('the behaviour in a trust score', () => {
  describe('from reports by one person', () => {
    it('never takes a new agent below standard, however many there are', () => {
      expect(scoreOf(reported('violation', 1))).to.be.below(45)
      expect(scoreOf(reported('violation', 1_000))).to.equal(40)
    })

    it('gains less than five points', () => {
      expect(scoreOf(reported('granted', 10_000))).to.equal(49)
    })

    it('counts a report again as far as earlier ones have faded', () => {
      const full = reported('violation', 10)
      expect(full.violations).to.equal(1.5)
      const later = addOutcome(full, { kind: 'violation', source: sourceOf(0) }, NOW + 30 * DAY)
      expect(later.violations).to.equal(1.5)
      expect(addOutcome(full, { kind: 'violation', source: sourceOf(1) }, NOW).violations).to.equal(2.5)
    })

    it('counts a quarter, and up to a quarter, while the domain of the endpoint is not proven', () => {
      expect(reported('granted', 1, 1, false).grants).to.equal(0.25)
      expect(reported('granted', 1_000, 1, false).grants).to.equal(6.25)
      expect(reported('violation', 1_000, 1, false).violations).to.equal(0.375)
      expect(scoreOf(reported('granted', 1_000, 1, false))).to.equal(46)
      expect(scoreOf(reported('violation', 1_000, 1, false))).to.equal(43)
      const proven = addOutcome(
        reported('granted', 1_000, 1, false),
        { kind: 'granted', source: sourceOf(0) },
        NOW,
      )
      expect(proven.grants).to.equal(7.25)
      const full = reported('granted', 1_000)
      expect(addOutcome(full, { kind: 'granted', source: sourceOf(0, false) }, NOW).grants).to.equal(25)
    })

    it('counts as far as everybody behind the endpoint has room', () => {
      const [ada, bob, both] = ['ada', 'bob', 'ada bob'].map((id) => ({ id, hasProvenDomain: true }))
      const report = (source = SHOP, times = 1, before?: ActivityFacts) => {
        let after = before
        for (let nth = 0; nth < times; nth += 1) after = addOutcome(after, { kind: 'violation', source }, NOW)
        return after
      }
      const shared = report(both, 10)
      expect(shared?.violations).to.equal(1.5)
      expect(report(ada, 10, shared)?.violations).to.equal(1.5)
      expect(report(bob, 10, report(ada, 1))?.violations).to.equal(2.5)
      expect(report(both, 10, report(ada, 1))?.violations).to.equal(1.5)
    })
  })

  describe('from reports by many people', () => {
    it('adds up', () => {
      expect(scoreOf(reported('violation', 2, 20))).to.equal(20)
      expect(scoreOf(reported('granted', 3, 20))).to.equal(53)
    })

    it('tells 64 of them apart, so that whoever was forgotten counts no more', () => {
      const many = reported('granted', 1, 500)
      expect([many.sources.length, many.grants]).to.deep.equal([64, 64])
      expect(reported('violation', 2, 500).violations).to.equal(96)
    })

    it('remembers who violated and who granted apart', () => {
      let activity = reported('violation', 1, 64)
      for (let nth = 0; nth < 100; nth += 1) {
        activity = addOutcome(activity, { kind: 'granted', source: sourceOf(1_000 + nth) }, NOW)
      }
      expect([activity.violations, activity.grants, activity.sources.length]).to.deep.equal([64, 64, 128])
    })

    it('lets somebody new in for the smallest that has faded to less than a half, with its share of the sum', () => {
      const old = reported('granted', 1, 64)
      const join = (days: number, hasProvenDomain: boolean) =>
        addOutcome(old, { kind: 'granted', source: sourceOf(999, hasProvenDomain) }, NOW + days * DAY)
      expect(join(29, true).grants).to.be.closeTo(64 * 2 ** (-29 / 30), 1e-9)
      const joined = join(31, true)
      expect(joined.sources).to.have.length(64)
      expect(joined.grants).to.be.closeTo(63 * 2 ** (-31 / 30) + 1, 1e-9)
      expect(join(31, false).grants).to.be.closeTo(64 * 2 ** (-31 / 30), 1e-9)
    })
  })

  describe('forgets', () => {
    it('half of what an agent did within 30 days', () => {
      const sources = [{ id: SHOP.id, grants: 10, violations: 1 }]
      const history = { grants: 100, violations: 8, at: NOW, sources }
      expect(decayActivity(history, NOW + 30 * DAY)).to.deep.equal({
        grants: 50,
        violations: 4,
        at: NOW + 30 * DAY,
        sources: [{ id: SHOP.id, grants: 5, violations: 0.5 }],
      })
    })

    it('the same regardless of when it is computed in between', () => {
      fc.assert(
        fc.property(activity, fc.integer({ min: 0, max: 400 * DAY }), count, (history, later, step) => {
          const there = history.at + later
          const between = history.at + (step % 1) * later
          const direct = decayActivity(history, there)
          const stepped = decayActivity(decayActivity(history, between), there)
          expect(stepped.grants).to.be.closeTo(direct.grants, 1e-6 * (1 + direct.grants))
        }),
      )
    })

    it('everything in the end', () => {
      const violator = { grants: 0, violations: 50, at: NOW, sources: [] }
      const lowest = computeTrustScore({ origin: NAME_ONLY, owner: ORDINARY, activity: violator }, NOW)
      const later = computeTrustScore(
        { origin: NAME_ONLY, owner: ORDINARY, activity: violator },
        NOW + 900 * DAY,
      )
      expect(lowest).to.be.below(25)
      expect(later).to.be.at.least(44)
    })

    it('nothing when the clock goes back', () => {
      const history = { grants: 3, violations: 1, at: NOW, sources: [] }
      expect(decayActivity(history, NOW - DAY)).to.equal(history)
    })
  })
})
