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

const START = 25
const MAX = 40
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
export function activityScore(activity: ActivityFacts | undefined, now: number): number {
  if (activity === undefined) return START
  const { grants, violations } = decayedActivity(activity, now)
  const raised = (MAX - START) * saturation(grants, GRANTS_HALF)
  const lowered = VIOLATIONS_COST * saturation(violations, VIOLATIONS_HALF)
  return Math.min(Math.max(START + raised - lowered, 0), MAX)
}

/** 0 for nothing, a half at `half`, towards 1. */
function saturation(amount: number, half: number): number {
  return 1 - 2 ** (-amount / half)
}

const HALF_LIFE_MS = 30 * 86_400_000

/** The same history seen at a later instant (epoch milliseconds). A clock that went back changes nothing. */
export function decayedActivity(activity: ActivityFacts, now: number): ActivityFacts {
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
export function nextActivity(
  activity: ActivityFacts | undefined,
  { kind, sourceId }: Outcome,
  now: number,
): ActivityFacts {
  const before = decayedActivity(activity ?? { grants: 0, violations: 0, at: now, sources: [] }, now)
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
