import type { ActivityEvent } from '../../api/types.ts'

/**
 * The live events that a list does not have yet; both are newest first and without gaps.
 *
 * A list goes on from its newest event to the oldest there is, so that it has every event from the first one that both
 * have. With none in common something would be missing between them, and all are kept.
 */
export function newerThanListed(
  events: readonly ActivityEvent[],
  listed: readonly ActivityEvent[],
): readonly ActivityEvent[] {
  const ids = new Set(listed.map(({ id }) => id))
  const known = events.findIndex(({ id }) => ids.has(id))
  return known === -1 ? events : events.slice(0, known)
}
