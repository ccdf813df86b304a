import type { ActivityEvent } from '@svc/core/contract/activity.ts'

/**
 * Returns the live events that are newer than a list; both are newest first and without gaps.
 *
 * The list continues to the oldest event, so it contains everything from the first event that both have. If they have none
 * in common, there may be a gap between them, and all live events are kept.
 */
export function dropListed(
  events: readonly ActivityEvent[],
  listed: readonly ActivityEvent[],
): readonly ActivityEvent[] {
  const ids = new Set(listed.map(({ id }) => id))
  const known = events.findIndex(({ id }) => ids.has(id))
  return known === -1 ? events : events.slice(0, known)
}
