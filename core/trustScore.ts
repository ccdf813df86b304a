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
    facts.certificationCount * CERTIFICATION_POINTS
  return Math.min(points, ORIGIN_MAX)
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
 * All sums decay at the same rate, so two numbers and the time of the last update represent the whole history.
 */
export type ActivityFacts = {
  grants: number
  /** Denials by its own mandate, and failed challenges. */
  violations: number
  /** Epoch milliseconds to which the sums are decayed. */
  at: number
  /** The share of each source in the sums, most recent first, at most `SOURCES_MAX`. */
  sources: readonly ActivitySource[]
}

/** What the endpoints of one owner have contributed to an agent's history. */
type ActivitySource = {
  /** `SVCD-` or `SVCO-` of the owner. */
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
  const { grants, violations } = decayActivity(activity, now)
  const raised = (ACTIVITY_MAX - ACTIVITY_START) * saturate(grants, GRANTS_HALF)
  const lowered = VIOLATIONS_COST * saturate(violations, VIOLATIONS_HALF)
  return Math.min(Math.max(ACTIVITY_START + raised - lowered, 0), ACTIVITY_MAX)
}

/** 0 at zero, a half at `half`, approaching 1. */
function saturate(amount: number, half: number): number {
  return 1 - 2 ** (-amount / half)
}

const HALF_LIFE_MS = 30 * 86_400_000

/** Decays a history to a later time (epoch milliseconds). A clock that was set back changes nothing. */
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
 * The most that one counterparty's owner can contribute. Naming an agent proves nothing, so a single account can neither
 * push a new agent of an ordinary owner below `standard` nor raise any agent by more than 5 points.
 */
const SOURCE_MAX = { grants: 25, violations: 1.5 } as const
/** How many owners are tracked separately; beyond that, the one with the oldest contribution is dropped. */
const SOURCES_MAX = 32

type Outcome = { kind: 'granted' | 'violation'; sourceId: string }

/** Adds an outcome at `now` (epoch milliseconds) to a history; `undefined` is the history of a new agent. */
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
