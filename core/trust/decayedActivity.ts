import type { ActivityFacts } from './trustFacts.ts'

const HALF_LIFE_MS = 30 * 86_400_000

/** The same history seen at a later instant (epoch milliseconds). A clock that went back changes nothing. */
export function decayedActivity(activity: ActivityFacts, now: number): ActivityFacts {
  if (now <= activity.at) return activity
  const factor = 2 ** ((activity.at - now) / HALF_LIFE_MS)
  return { grants: activity.grants * factor, violations: activity.violations * factor, at: now }
}
