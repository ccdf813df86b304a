import type { ActivityItem } from '@svc/core/contract/activity.ts'
import type { ActivityFilter } from '../../store/feed/activityFilter.ts'
import type { ActivityStore, ListedRecord } from '../../store/feed/activityStore.ts'
import type { LookPosition } from '../../store/feed/lookRange.ts'
import { type ShowActivityDeps, showActivity } from './showActivity.ts'

/** Queries per page, each with a turn of its own: a hundred thousand events are looked through before a page stays short. */
const LOOKS_MAX = 12

export type ListActivityDeps = ShowActivityDeps & {
  activity: Pick<ActivityStore, 'list'>
  /** Resolves once everything recorded so far can be found in the feed. */
  catchUp: () => Promise<unknown>
  /** Resolves when it is this query’s turn to read. */
  turn: () => Promise<void>
}

export type ActivityQuery = Omit<ActivityFilter, 'parties'> & LookPosition & { actsFor: ReadonlySet<string> }

/** A page of the activity; `nextBefore` is the log index that it ends with, null on the last page. */
export type ActivityPage = { items: ActivityItem[]; nextBefore: number | null }

/**
 * Lists the caller's events in the order of the log or newest first, masked as the specification's activity views require.
 *
 * A filtered page may be short or empty without being the last: it ends where the search ended.
 *
 * Source: `Spec: Activity event`, `Spec: Activity views`.
 */
export async function listActivity(deps: ListActivityDeps, input: ActivityQuery): Promise<ActivityPage> {
  await deps.catchUp()
  return listProjected(deps, input)
}

/** Lists a page of what the feed contains already. */
export async function listProjected(
  deps: Omit<ListActivityDeps, 'catchUp'>,
  input: ActivityQuery,
): Promise<ActivityPage> {
  const { actsFor, order, limit, ...filter } = input
  const found: ListedRecord[] = []
  let cursor = input.cursor
  let lookedTo: number | null = null
  for (let nth = 0; nth < LOOKS_MAX && found.length <= limit; nth += 1) {
    if (nth > 0) await deps.turn()
    const wanted = { ...filter, parties: [...actsFor], limit: limit + 1 - found.length }
    const look = await deps.activity.list(wanted, { order, cursor })
    found.push(...look.records)
    lookedTo = look.lookedTo
    if (lookedTo === null) break
    cursor = lookedTo
  }
  const page = found.slice(0, limit)
  return {
    items: await showActivity(deps, page, actsFor),
    nextBefore: found.length > page.length ? Number(page.at(-1)?.seq) : lookedTo,
  }
}
