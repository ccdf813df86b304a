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
export function computeTrustScore({ origin, owner, activity }: TrustFacts, now: number): number {
  const sum = originScore(origin) + ownerScore(owner) + activityScore(activity, now)
  return Math.min(Math.max(Math.floor(sum), 0), 100)
}

const ORIGIN_MAX = 30
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
  return Math.min(points, ORIGIN_MAX)
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

/**
 * What an agent did, as sums that lose half their weight every 30 days.
 *
 * Sums decay alike, so two numbers and the instant they hold at stand for the whole history. Sums of parts decay with them.
 */
export type ActivityFacts = {
  grants: number
  /** Denials by its own mandate and failed challenges. */
  violations: number
  /** Epoch milliseconds at which the sums hold. */
  at: number
  /** Their parts by who reported them, most recent first; no more than are told apart. */
  sources: readonly ActivitySource[]
}

/** What the endpoints of one owner have added to an agent's history. */
type ActivitySource = {
  /** `SVCD-` or `SVCO-` of the owner. */
  id: string
  grants: number
  violations: number
}

const ACTIVITY_START = 25
const ACTIVITY_MAX = 40
/** Half of what grants can add is reached after this many recent ones. */
const GRANTS_HALF = 50
/** Half of what violations can take is reached after this many recent ones. */
const VIOLATIONS_HALF = 6
const VIOLATIONS_COST = 30

/**
 * The part of the score that comes from observed behaviour, 0 to 40, 25 for an agent that has done nothing.
 *
 * Grants raise it with diminishing effect, violations lower it; both lose half their weight every 30 days. Spec: Trust score rules.
 */
function activityScore(activity: ActivityFacts | undefined, now: number): number {
  if (activity === undefined) return ACTIVITY_START
  const { grants, violations } = decayActivity(activity, now)
  const raised = (ACTIVITY_MAX - ACTIVITY_START) * saturation(grants, GRANTS_HALF)
  const lowered = VIOLATIONS_COST * saturation(violations, VIOLATIONS_HALF)
  return Math.min(Math.max(ACTIVITY_START + raised - lowered, 0), ACTIVITY_MAX)
}

/** 0 for nothing, a half at `half`, towards 1. */
function saturation(amount: number, half: number): number {
  return 1 - 2 ** (-amount / half)
}

const HALF_LIFE_MS = 30 * 86_400_000

/** The same history seen at a later instant (epoch milliseconds). A clock that went back changes nothing. */
export function decayActivity(activity: ActivityFacts, now: number): ActivityFacts {
  if (now <= activity.at) return activity
  const factor = 2 ** ((activity.at - now) / HALF_LIFE_MS)
  const { grants, violations, sources } = activity
  return {
    grants: grants * factor,
    violations: violations * factor,
    at: now,
    sources: sources.map((source) => ({
      id: source.id,
      grants: source.grants * factor,
      violations: source.violations * factor,
    })),
  }
}

/**
 * What one counterparty's owner can add at most, recent outcomes together. Naming an agent proves nothing, so one
 * account alone never takes a new agent of an ordinary owner below `standard`, and never lifts one by more than 5 points.
 */
const SOURCE_MAX = { grants: 25, violations: 1.5 } as const
/** Counterparties' owners that are told apart; of more, the one that added least recently is forgotten. */
const SOURCES_MAX = 32

type Outcome = { kind: 'granted' | 'violation'; sourceId: string }

/** The history with one more outcome at `now` (epoch milliseconds); `undefined` is an agent's first. */
export function addOutcome(
  activity: ActivityFacts | undefined,
  { kind, sourceId }: Outcome,
  now: number,
): ActivityFacts {
  const before = decayActivity(activity ?? { grants: 0, violations: 0, at: now, sources: [] }, now)
  const source = before.sources.find(({ id }) => id === sourceId) ?? {
    id: sourceId,
    grants: 0,
    violations: 0,
  }
  const counted = kind === 'granted' ? 'grants' : 'violations'
  const added = Math.min(1, Math.max(0, SOURCE_MAX[counted] - source[counted]))
  const others = before.sources.filter(({ id }) => id !== sourceId)
  return {
    ...before,
    [counted]: before[counted] + added,
    sources: [withAdded(source, counted, added), ...others].slice(0, SOURCES_MAX),
  }
}

function withAdded(source: ActivitySource, counted: 'grants' | 'violations', added: number): ActivitySource {
  return { ...source, [counted]: source[counted] + added }
}
