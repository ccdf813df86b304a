import type { OwnerFacts } from './trustFacts.ts'

/** The part of the score that comes from the owner's account, 8 to 30. A verified identity weighs most. Spec: Trust score rules. */
export function ownerScore(facts: OwnerFacts): number {
  const account = 8
  return (
    account +
    (facts.hasVerifiedEmail ? 4 : 0) +
    (facts.hasVerifiedIdentity ? 10 : 0) +
    (facts.hasProvenDomain ? 4 : 0) +
    (facts.hasSecondFactor ? 4 : 0)
  )
}
