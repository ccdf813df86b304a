import { decayedActivity } from './decayedActivity.ts'
import type { ActivityFacts } from './trustFacts.ts'

/** The history with one more outcome at `now` (epoch milliseconds); `undefined` is an agent's first. */
export function nextActivity(
  activity: ActivityFacts | undefined,
  outcome: 'granted' | 'violation',
  now: number,
): ActivityFacts {
  const { grants, violations, at } = decayedActivity(activity ?? { grants: 0, violations: 0, at: now }, now)
  return outcome === 'granted'
    ? { grants: grants + 1, violations, at }
    : { grants, violations: violations + 1, at }
}
