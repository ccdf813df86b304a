import { decayedActivity } from './decayedActivity.ts'
import type { ActivityFacts } from './trustFacts.ts'

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
