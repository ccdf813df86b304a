import type { ActivityFacts, OriginFacts, OwnerFacts } from '@svc/core/trustScore.ts'
import fc from 'fast-check'

export const NOW = Date.parse('2026-01-07T12:00:00Z')
export const DAY = 86_400_000

/** An agent of which only the name is stated. */
export const NAME_ONLY: OriginFacts = {
  isVouchedFor: true,
  hasDescription: false,
  hasAgentType: false,
  hasProtocols: false,
  hasChallengeUrl: false,
  declaredDimensions: 0,
  hasOnChainIdentity: false,
  certificationCount: 0,
}
/** An owner of whom nothing is verified. */
export const ORDINARY: OwnerFacts = {
  hasVerifiedEmail: false,
  hasVerifiedIdentity: false,
  hasProvenDomain: false,
  hasSecondFactor: false,
}

export const count = fc.double({ min: 0, max: 1e6, noNaN: true })
export const activity: fc.Arbitrary<ActivityFacts> = fc.record({
  grants: count,
  violations: count,
  at: fc.integer({ min: NOW - 400 * DAY, max: NOW + DAY }),
  sources: fc.constant([]),
})
/** A counterparty with a proven domain. */
export const SHOP = { id: 'ada', hasProvenDomain: true }
