import type { ActivityItem } from '@svc/core/contract/activity.ts'
import type { ActivityFilter } from '../../store/feed/activityFilter.ts'
import type { ActivityStore } from '../../store/feed/activityStore.ts'
import { actsForOf } from '../actsForOf.ts'
import type { Principal } from '../principal.ts'
import type { ActivityFeed } from './createActivityFeed.ts'
import type { Follower } from './createFollower.ts'
import { type ShowActivityDeps, showActivity } from './showActivity.ts'

/** Events per page; bounds how long reading blocks the event loop and how much waits for a reader. */
const PAGE = 50

export type FollowActivityDeps = ShowActivityDeps & {
  activity: Pick<ActivityStore, 'after'>
  feed: ActivityFeed
  /** Resolves with the feed's size once everything recorded so far can be found in it. */
  catchUp: () => Promise<number>
  /** Resolves when it is this stream's turn to read. */
  turn: () => Promise<void>
  heartbeatMs: number
}

export type FollowActivityInput = {
  principal: Principal
  /** Identifies the credential, whose open streams are counted. */
  holder: string
  filter: Omit<ActivityFilter, 'parties' | 'limit'>
  /** Position of the last event that the caller has; null starts with new events. */
  afterSeq: number | null
  /** The current holder of the credential; null if it has expired or was revoked. */
  refresh(): Promise<Principal | null>
}

/** An item of a stream: events with their positions, a position without an event, or a heartbeat. */
export type StreamItem =
  | { kind: 'events'; events: { seq: number; event: ActivityItem }[] }
  | { kind: 'place'; seq: number }
  | { kind: 'heartbeat' }

/** The stream; it ends when the signal aborts. */
export type ActivityStream = (signal: AbortSignal) => AsyncGenerator<StreamItem>

/**
 * Opens a stream of the caller's events: in order, without gaps or repetitions from the given position, masked and filtered
 * like the list.
 *
 * The reader sets the pace: a page is read when the previous one has been taken. The credential is checked before each page
 * and heartbeat, so the stream ends with it and always shows what its owner may currently see.
 *
 * @throws ApiError RATE_LIMITED, SERVICE_UNAVAILABLE.
 */
export async function followActivity(
  deps: FollowActivityDeps,
  input: FollowActivityInput,
): Promise<ActivityStream> {
  const { feed } = deps
  feed.advance(await deps.catchUp())
  const follower = feed.follow(input.holder, actsForOf(input.principal))
  const last = feed.end() - 1
  const start = Math.min(input.afterSeq ?? last, last)
  return (signal) => stream(deps, input, { follower, start, signal })
}

async function* stream(
  deps: FollowActivityDeps,
  input: FollowActivityInput,
  { follower, start, signal }: { follower: Follower; start: number; signal: AbortSignal },
): AsyncGenerator<StreamItem> {
  try {
    let seq = start
    let waited: 'news' | 'quiet' | 'ended' = 'news'
    yield { kind: 'place', seq }
    while (waited !== 'ended') {
      const principal = await input.refresh()
      if (principal === null) return
      if (waited === 'quiet') yield { kind: 'heartbeat' }
      follower.parties = actsForOf(principal)
      const beforeSeq = deps.feed.end()
      const { found, lookedTo } = await read(deps, input, {
        actsFor: follower.parties,
        afterSeq: seq,
        beforeSeq,
      })
      seq = found.at(-1)?.seq ?? seq
      if (found.length > 0) yield { kind: 'events', events: found }
      waited = 'news'
      if (found.length === PAGE && !signal.aborted) continue
      seq = Math.max(seq, lookedTo ?? beforeSeq - 1)
      if (lookedTo !== null && !signal.aborted) continue
      waited = await follower.wait(deps.heartbeatMs, signal)
    }
  } finally {
    deps.feed.leave(follower)
  }
}

async function read(
  deps: FollowActivityDeps,
  { filter }: FollowActivityInput,
  range: { actsFor: ReadonlySet<string>; afterSeq: number; beforeSeq: number },
): Promise<{ found: { seq: number; event: ActivityItem }[]; lookedTo: number | null }> {
  const { actsFor, afterSeq, beforeSeq } = range
  if (afterSeq + 1 >= beforeSeq) return { found: [], lookedTo: null }
  await deps.turn()
  const places = { afterSeq, beforeSeq, limit: PAGE }
  const { records, lookedTo } = await deps.activity.after({ ...filter, parties: [...actsFor], ...places })
  const events = await showActivity(deps, records, actsFor)
  const found = events.map((event, nth) => ({ seq: Number(records[nth]?.seq), event }))
  return { found, lookedTo }
}
