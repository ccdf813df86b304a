import type { ActivityEvent } from '@svc/core/contract/activity.ts'
import type { ActivityStore } from '../../store/feed/activityStore.ts'
import { toEventView } from './eventView.ts'

export type ListActivityDeps = {
  activity: ActivityStore
  /** Resolves once everything recorded so far can be found in the feed. */
  catchUp: () => Promise<unknown>
}

export type ActivityQuery = Omit<Parameters<ActivityStore['list']>[0], 'parties'> & {
  actsFor: ReadonlySet<string>
}

/**
 * Lists the caller's events, newest first, masked as the specification's activity views require.
 *
 * A filtered page may be short or empty without being the last: it ends where the search ended.
 *
 * Source: `Spec: Activity event`, `Spec: Activity views`.
 */
export async function listActivity(
  deps: ListActivityDeps,
  input: ActivityQuery,
): Promise<{ items: ActivityEvent[]; nextBefore: number | null }> {
  await deps.catchUp()
  const { actsFor, ...filter } = input
  const look = { ...filter, parties: [...actsFor], limit: input.limit + 1 }
  const { records, lookedTo } = await deps.activity.list(look)
  const page = records.slice(0, input.limit)
  return {
    items: page.map((record) => toEventView(record, actsFor)),
    nextBefore: records.length > page.length ? (page.at(-1)?.seq ?? null) : lookedTo,
  }
}
