import type { ActivityFilter, ActivityStore } from '../../store/feed/activityStore.ts'
import { actsForOf } from '../actsForOf.ts'
import type { Principal } from '../principal.ts'
import type { ActivityFeed } from './createActivityFeed.ts'
import type { Follower } from './createFollower.ts'
import { type EventView, toEventView } from './eventView.ts'

/** Events one look brings; bounds how long it holds the event loop, and how much waits for a reader. */
const PAGE = 50

export type FollowActivityDeps = {
  activity: Pick<ActivityStore, 'after'>
  feed: ActivityFeed
  /** Resolves with the feed's size when everything recorded so far can be found in it. */
  catchUp: () => Promise<number>
  /** Resolves when it is this stream's turn to read. */
  turn: () => Promise<void>
  heartbeatMs: number
}

export type FollowActivityInput = {
  principal: Principal
  /** Names the credential: how many streams it has open is counted. */
  holder: string
  filter: Omit<ActivityFilter, 'parties' | 'limit'>
  /** Place of the last event the caller has; null to begin with what happens from now on. */
  afterSeq: number | null
  /** Who the credential stands for now; null when it has expired or was revoked. */
  refresh(): Promise<Principal | null>
}

/** What a stream carries: events with their places, a place without an event, or a sign of life. */
export type StreamItem =
  | { kind: 'events'; events: { seq: number; event: EventView }[] }
  | { kind: 'place'; seq: number }
  | { kind: 'heartbeat' }

/** The stream itself; it ends when the signal is given. */
export type ActivityStream = (signal: AbortSignal) => AsyncGenerator<StreamItem>

/**
 * Opens a stream of the events of which the caller is a party: in order, without a gap or a repetition from the place
 * given, masked and filtered as the list is.
 *
 * A reader sets the pace: the next page is read when it has taken the last one. The credential is looked at again before
 * each page and heartbeat, so a stream ends with it, and shows what its owner may see at that moment.
 *
 * @throws ApiError RATE_LIMITED, SERVICE_UNAVAILABLE.
 * Source: api.md "Approvals, activity, audit" (`GET /api/activity/stream`).
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
  { activity, turn }: FollowActivityDeps,
  { filter }: FollowActivityInput,
  range: { actsFor: ReadonlySet<string>; afterSeq: number; beforeSeq: number },
): Promise<{ found: { seq: number; event: EventView }[]; lookedTo: number | null }> {
  const { actsFor, afterSeq, beforeSeq } = range
  if (afterSeq + 1 >= beforeSeq) return { found: [], lookedTo: null }
  await turn()
  const places = { afterSeq, beforeSeq, limit: PAGE }
  const { records, lookedTo } = await activity.after({ ...filter, parties: [...actsFor], ...places })
  const found = records.map((record) => ({ seq: Number(record.seq), event: toEventView(record, actsFor) }))
  return { found, lookedTo }
}
