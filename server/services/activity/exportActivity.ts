import type { ActivityItem } from '@svc/core/contract/activity.ts'
import { ACTIVITY_EXPORT_MAX } from '@svc/core/contract/activityColumns.ts'
import { type ActivityQuery, type ListActivityDeps, listProjected } from './listActivity.ts'

/** Events read at a time; bounds how much waits for a reader. */
const PAGE = 100

/**
 * Yields what the list of the same filters shows, in its order, page by page: at most 10,000 events. The reader sets the
 * pace.
 */
export async function* exportActivity(
  deps: ListActivityDeps,
  query: Omit<ActivityQuery, 'limit' | 'cursor'>,
  signal: AbortSignal,
): AsyncGenerator<ActivityItem[]> {
  await deps.catchUp()
  let left = ACTIVITY_EXPORT_MAX
  let cursor: number | null = null
  do {
    await deps.turn()
    const limit = Math.min(PAGE, left)
    const page = await listProjected(deps, { ...query, limit, cursor })
    if (page.items.length > 0) yield page.items
    left -= page.items.length
    cursor = page.nextBefore
  } while (cursor !== null && left > 0 && !signal.aborted)
}
