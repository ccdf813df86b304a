import type { ResultOf } from '@svc/core/contract/operations.ts'
import { toIsoTime } from '@svc/core/time/toIsoTime.ts'
import type { ActivityCountStore, CountedEvent } from '../../store/feed/activityCountStore.ts'

/** Events that are looked at, the newest of each party. Bounds how long a count holds the event loop. */
const COUNTED_MAX = 20_000
const HOUR_MS = 3_600_000

export type CountActivityDeps = {
  counts: ActivityCountStore
  /** Resolves when everything recorded so far can be found in the feed. */
  catchUp: () => Promise<unknown>
}

export type CountActivityInput = { actsFor: ReadonlySet<string>; hours: number; now: number }

export type ActivityCounts = ResultOf<'GET /api/activity/counts'>

/**
 * Counts the caller's events by type and hour, up to and including the current hour.
 *
 * Counts reveal nothing that a list would mask.
 */
export async function countActivity(
  { counts, catchUp }: CountActivityDeps,
  { actsFor, hours, now }: CountActivityInput,
): Promise<ActivityCounts> {
  await catchUp()
  const since = now - (now % HOUR_MS) - (hours - 1) * HOUR_MS
  const { events, isComplete } = await readEventsSince(counts, [...actsFor], since)
  const byHour = new Map<number, Record<string, number>>()
  for (const { eventType, recordedAt } of events) {
    const hourStart = recordedAt - (recordedAt % HOUR_MS)
    const hour = byHour.get(hourStart) ?? {}
    hour[eventType] = (hour[eventType] ?? 0) + 1
    byHour.set(hourStart, hour)
  }
  return {
    since: toIsoTime(since),
    isComplete,
    hours: [...byHour]
      .sort(([earlier], [later]) => earlier - later)
      .map(([start, ofType]) => ({ start: toIsoTime(start), counts: ofType })),
  }
}

/** Yields each event once, whichever party it belongs to; what one party leaves of its share goes to the next. */
async function readEventsSince(
  counts: ActivityCountStore,
  parties: readonly string[],
  since: number,
): Promise<{ events: Iterable<CountedEvent>; isComplete: boolean }> {
  const bySeq = new Map<number, CountedEvent>()
  let spare = COUNTED_MAX
  let isComplete = true
  for (const [at, party] of parties.entries()) {
    const share = Math.floor(spare / (parties.length - at))
    const last = await counts.lastOf(party, share + 1)
    const beyond = last[share]
    if (beyond !== undefined && beyond.recordedAt >= since) isComplete = false
    for (const event of last.slice(0, share)) if (event.recordedAt >= since) bySeq.set(event.seq, event)
    spare -= Math.min(last.length, share)
  }
  return { events: bySeq.values(), isComplete }
}
