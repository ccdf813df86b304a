import { type ActivityFacts, activityScore } from './activityScore.ts'

/** What is known of where an agent comes from: how it was registered and how completely it is described. */
export type OriginFacts = {
  /** Registered by its key's signature, or approved by its owner with a passkey. */
  isVouchedFor: boolean
  model?: { modelName?: string; modelProvider?: string; modelType?: string } | undefined
  framework?: { frameworkName?: string; frameworkVersion?: string } | undefined
  hasDescription: boolean
  hasAgentType: boolean
  hasProtocols: boolean
  hasChallengeUrl: boolean
  /** How many of the five dimensions of its boundary are declared. */
  declaredDimensions: number
  hasOnChainIdentity: boolean
  certificationCount: number
}

/** What is known of the account that owns an agent. */
export type OwnerFacts = {
  hasVerifiedEmail: boolean
  /** Know-your-developer: passport and selfie were reviewed. */
  hasVerifiedIdentity: boolean
  /** Belongs to an organisation with a proven domain. */
  hasProvenDomain: boolean
  hasSecondFactor: boolean
}

/** Everything a trust score is made from. */
export type TrustFacts = {
  origin: OriginFacts
  owner: OwnerFacts
  /** Absent for an agent that has not done anything yet. */
  activity?: ActivityFacts | undefined
}

/**
 * The trust score of an agent at an instant (epoch milliseconds): a whole number from 0 to 100.
 *
 * Origin 30, owner 30, activity 40. A new agent of an ordinary owner stands at 45 or more, so its access is `standard` from the first
 * day. Only the sum is ever answered: the algorithm is opaque to callers. Spec: Trust score rules.
 */
export function trustScore({ origin, owner, activity }: TrustFacts, now: number): number {
  const sum = originScore(origin) + ownerScore(owner) + activityScore(activity, now)
  return Math.min(Math.max(Math.floor(sum), 0), 100)
}

const MAX = 30
const DIMENSIONS = 5
const CERTIFICATION_POINTS = 2

/**
 * The part of the score that comes from registration and metadata, 0 to 30.
 *
 * Model and framework add up to five points, one for each field. Spec: Trust score rules.
 */
function originScore(facts: OriginFacts): number {
  const registered = 4
  const points =
    registered +
    (facts.isVouchedFor ? 8 : 0) +
    (facts.hasOnChainIdentity ? 4 : 0) +
    filled(facts.model?.modelName, facts.model?.modelProvider, facts.model?.modelType) +
    filled(facts.framework?.frameworkName, facts.framework?.frameworkVersion) +
    (facts.hasDescription ? 2 : 0) +
    (facts.hasProtocols ? 2 : 0) +
    (facts.hasChallengeUrl ? 2 : 0) +
    (facts.hasAgentType ? 1 : 0) +
    (facts.declaredDimensions >= 1 ? 1 : 0) +
    (facts.declaredDimensions >= DIMENSIONS ? 1 : 0) +
    facts.certificationCount * CERTIFICATION_POINTS
  return Math.min(points, MAX)
}

function filled(...fields: (string | undefined)[]): number {
  return fields.filter((field) => field !== undefined && field !== '').length
}

/** The part of the score that comes from the owner's account, 8 to 30. A verified identity weighs most. Spec: Trust score rules. */
function ownerScore(facts: OwnerFacts): number {
  const account = 8
  return (
    account +
    (facts.hasVerifiedEmail ? 4 : 0) +
    (facts.hasVerifiedIdentity ? 10 : 0) +
    (facts.hasProvenDomain ? 4 : 0) +
    (facts.hasSecondFactor ? 4 : 0)
  )
}
