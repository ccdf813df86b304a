/** Facts about an agent's origin: how it was registered, and how completely it is described. */
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
  /** Ratings by the reviewers that the operator named, in the registry of an agent from elsewhere. */
  foreignFeedback?: { count: number; mean: number } | undefined
}

/** Facts about the account that owns an agent. */
export type OwnerFacts = {
  hasVerifiedEmail: boolean
  /** Know Your Developer: the passport and the selfie were reviewed. */
  hasVerifiedIdentity: boolean
  /** Belongs to an organisation with a proven domain. */
  hasProvenDomain: boolean
  hasSecondFactor: boolean
}

/** Everything that a trust score depends on. */
export type TrustFacts = {
  origin: OriginFacts
  owner: OwnerFacts
  /** Absent for an agent without any activity. */
  activity?: ActivityFacts | undefined
}

/**
 * Computes the trust score of an agent at `now` (epoch milliseconds): a whole number from 0 to 100.
 *
 * Origin counts up to 30 points, the owner 30, activity 40. A new agent of an ordinary owner starts at 45 or more, so its
 * access is `standard` from the first day. Responses carry the sum only: the algorithm is opaque to callers. Spec: Trust
 * score rules.
 */
export function computeTrustScore({ origin, owner, activity }: TrustFacts, now: number): number {
  const sum = scoreOrigin(origin) + scoreOwner(owner) + scoreActivity(activity, now)
  return Math.min(Math.max(Math.floor(sum), 0), 100)
}

const ORIGIN_MAX = 30
const DIMENSIONS = 5
const CERTIFICATION_POINTS = 2

/** Up to 30 points for registration and metadata. Each field of model and framework adds one. Spec: Trust score rules. */
function scoreOrigin(facts: OriginFacts): number {
  const registered = 4
  const points =
    registered +
    (facts.isVouchedFor ? 8 : 0) +
    (facts.hasOnChainIdentity ? 4 : 0) +
    fillMissing(facts.model?.modelName, facts.model?.modelProvider, facts.model?.modelType) +
    fillMissing(facts.framework?.frameworkName, facts.framework?.frameworkVersion) +
    (facts.hasDescription ? 2 : 0) +
    (facts.hasProtocols ? 2 : 0) +
    (facts.hasChallengeUrl ? 2 : 0) +
    (facts.hasAgentType ? 1 : 0) +
    (facts.declaredDimensions >= 1 ? 1 : 0) +
    (facts.declaredDimensions >= DIMENSIONS ? 1 : 0) +
    facts.certificationCount * CERTIFICATION_POINTS +
    scoreFeedback(facts.foreignFeedback)
  return Math.min(points, ORIGIN_MAX)
}

/** The most that feedback in another registry can add, and how many ratings earn half of it. */
const FEEDBACK_MAX = 5
const FEEDBACK_HALF = 5

/** From 0 to 5 points: the mean rating, weighted by how many there are. Bad ratings add nothing, and cost nothing. */
function scoreFeedback(feedback: OriginFacts['foreignFeedback']): number {
  if (feedback === undefined) return 0
  return (
    FEEDBACK_MAX * (Math.min(Math.max(feedback.mean, 0), 100) / 100) * saturate(feedback.count, FEEDBACK_HALF)
  )
}

function fillMissing(...fields: (string | undefined)[]): number {
  return fields.filter((field) => field !== undefined && field !== '').length
}

/** From 8 to 30 points for the owner's account. A verified identity weighs most. Spec: Trust score rules. */
function scoreOwner(facts: OwnerFacts): number {
  const account = 8
  return (
    account +
    (facts.hasVerifiedEmail ? 4 : 0) +
    (facts.hasVerifiedIdentity ? 10 : 0) +
    (facts.hasProvenDomain ? 4 : 0) +
    (facts.hasSecondFactor ? 4 : 0)
  )
}

/**
 * An agent's activity, as sums with a half-life of 30 days.
 *
 * All sums decay at the same rate, so a few numbers and the time of the last update represent the whole history.
 */
export type ActivityFacts = {
  grants: number
  /** Denials by its own mandate, and failed challenges. */
  violations: number
  /** Epoch milliseconds to which the sums are decayed. */
  at: number
  /** The share of each source in the sums, at most `SOURCES_MAX` of either kind. */
  sources: readonly ActivitySource[]
}

/** What the endpoints of one owner have contributed to an agent's history. */
type ActivitySource = {
  /** As in `OutcomeSource`; of earlier versions, the `SVCD-` or `SVCO-` of the owner. */
  id: string
  grants: number
  violations: number
}

const ACTIVITY_START = 25
const ACTIVITY_MAX = 40
/** This many recent grants earn half of what grants can add. */
const GRANTS_HALF = 50
/** This many recent violations cost half of what violations can cost. */
const VIOLATIONS_HALF = 6
const VIOLATIONS_COST = 30

/**
 * From 0 to 40 points for observed behaviour; an agent without activity has 25.
 *
 * Grants raise the score and violations lower it, both with diminishing effect. Spec: Trust score rules.
 */
function scoreActivity(activity: ActivityFacts | undefined, now: number): number {
  if (activity === undefined) return ACTIVITY_START
  const left = leftOf(activity, now)
  const raised = (ACTIVITY_MAX - ACTIVITY_START) * saturate(activity.grants * left, GRANTS_HALF)
  const lowered = VIOLATIONS_COST * saturate(activity.violations * left, VIOLATIONS_HALF)
  return Math.min(Math.max(ACTIVITY_START + raised - lowered, 0), ACTIVITY_MAX)
}

/** 0 at zero, a half at `half`, approaching 1. */
function saturate(amount: number, half: number): number {
  return 1 - 2 ** (-amount / half)
}

const HALF_LIFE_MS = 30 * 86_400_000

/** The part of a history that is left at a later time. A clock that was set back changes nothing. */
function leftOf({ at }: ActivityFacts, now: number): number {
  return now <= at ? 1 : 2 ** ((at - now) / HALF_LIFE_MS)
}

/** Decays a history to a later time (epoch milliseconds). A clock that was set back changes nothing. */
export function decayActivity(activity: ActivityFacts, now: number): ActivityFacts {
  if (now <= activity.at) return activity
  const left = leftOf(activity, now)
  const { grants, violations, sources } = activity
  return {
    grants: grants * left,
    violations: violations * left,
    at: now,
    sources: sources.map((source) => ({
      id: source.id,
      grants: source.grants * left,
      violations: source.violations * left,
    })),
  }
}

type Kind = 'grants' | 'violations'

/**
 * The most that one person can contribute. Everybody can open accounts, so a single person can neither push a new agent of
 * an ordinary owner below `standard` nor raise any agent by more than 5 points.
 */
const PERSON_MAX: Readonly<Record<Kind, number>> = { grants: 25, violations: 1.5 }
/** Anybody can open an endpoint on a domain of their own or of nobody: it counts this much until the domain is proven. */
const UNPROVEN_WEIGHT = 0.25
/** How many sources of either kind are told apart. More than these cannot change a score much. */
const SOURCES_MAX = 64
/** Less than this part of an outcome is not added, so that most outcomes of a regular counterparty change nothing. */
const SMALLEST_PART = 0.01
/** A new source replaces the smallest one if that has faded to less than this part of what the new one adds. */
const REPLACED_BELOW = 0.5

/** Where an outcome comes from. */
export type OutcomeSource = {
  /** The people behind the endpoint's owner, as `identifySource` returns them. */
  id: string
  hasProvenDomain: boolean
}

/** Describes a source by the verification tier of the endpoint; undefined if it was not known. */
export function describeSource(id: string, tier: string | undefined): OutcomeSource {
  return { id, hasProvenDomain: tier === 'domain_verified' }
}

type Outcome = { kind: 'granted' | 'violation'; source: OutcomeSource }

/**
 * Adds an outcome at `now` (epoch milliseconds) to a history; `undefined` is the history of a new agent.
 *
 * However many organisations, endpoints and co-administrators a person has, all that the person can administer contributes
 * no more than `PERSON_MAX`, and a quarter of that through endpoints without a proven domain. What a replaced source has
 * contributed leaves the sums with it: otherwise it could be contributed again.
 */
export function addOutcome(
  activity: ActivityFacts | undefined,
  { kind, source }: Outcome,
  now: number,
): ActivityFacts {
  const before = activity ?? { grants: 0, violations: 0, at: now, sources: [] }
  const counted = kind === 'granted' ? 'grants' : 'violations'
  const added = findRoom(before, counted, source, now)
  return added === 0 ? before : contribute(decayActivity(before, now), counted, source.id, added)
}

/** How much an outcome counts, as far as every person behind it has room. */
function findRoom(
  activity: ActivityFacts,
  counted: Kind,
  { id, hasProvenDomain }: OutcomeSource,
  now: number,
): number {
  const weight = hasProvenDomain ? 1 : UNPROVEN_WEIGHT
  const left = leftOf(activity, now)
  let room = weight
  for (const person of id.split(' ')) {
    let used = 0
    for (const source of activity.sources) if (source.id.includes(person)) used += source[counted]
    room = Math.min(room, weight * PERSON_MAX[counted] - used * left)
  }
  return room < weight * SMALLEST_PART ? 0 : room
}

function contribute(before: ActivityFacts, counted: Kind, id: string, added: number): ActivityFacts {
  const own = before.sources.find((source) => source.id === id) ?? { id, grants: 0, violations: 0 }
  const others = before.sources.filter((source) => source !== own)
  const grown = { ...own, [counted]: own[counted] + added }
  const sum = before[counted] + added
  if (own[counted] > 0) return { ...before, [counted]: sum, sources: [grown, ...others] }
  const rivals = others.filter((source) => source[counted] > 0)
  if (rivals.length < SOURCES_MAX) return { ...before, [counted]: sum, sources: [grown, ...others] }
  const least = rivals.reduce((a, b) => (b[counted] < a[counted] ? b : a))
  if (least[counted] >= added * REPLACED_BELOW) return before
  const emptied = others
    .map((source) => (source === least ? { ...source, [counted]: 0 } : source))
    .filter(({ grants, violations }) => grants > 0 || violations > 0)
  return { ...before, [counted]: Math.max(0, sum - least[counted]), sources: [grown, ...emptied] }
}

/**
 * Names the source of outcomes: the people behind the endpoint's owner, of whom each can report by it.
 *
 * @param ofAgent Ids of those behind the agent's owner, without spaces; so is `ofEndpoint`.
 * @returns Null where the agent's owner is behind the endpoint too, because nobody vouches for themselves.
 */
export function identifySource(ofAgent: readonly string[], ofEndpoint: readonly string[]): string | null {
  if (ofEndpoint.some((person) => ofAgent.includes(person))) return null
  return ofEndpoint.toSorted().join(' ')
}
