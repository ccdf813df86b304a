import type { ActivityFacts } from './trustFacts.ts'

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
