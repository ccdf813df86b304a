import { decayedActivity } from './decayedActivity.ts'
import type { ActivityFacts, ActivitySource } from './trustFacts.ts'

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
