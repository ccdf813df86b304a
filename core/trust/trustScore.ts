import { activityScore } from './activityScore.ts'
import { originScore } from './originScore.ts'
import { ownerScore } from './ownerScore.ts'
import type { TrustFacts } from './trustFacts.ts'

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
