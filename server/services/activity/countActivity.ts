import type { ActivityCountStore } from '../../store/activityCountStore.ts'

/** Events of one party that are looked at; the newest ones. Bounds how long a count holds the event loop. */
const COUNTED_MAX = 20_000
const HOUR_MS = 3_600_000

export type CountActivityDeps = {
  counts: ActivityCountStore
  /** Resolves when everything recorded so far can be found in the feed. */
  catchUp: () => Promise<unknown>
}

export type CountActivityInput = { actsFor: ReadonlySet<string>; hours: number; now: number }

export type ActivityCounts = {
  since: string
  /** False where a party has so many events that the earlier ones of the period are left out. */
  isComplete: boolean
  /** Hours in which something happened, the earliest first; `start` is the hour's beginning in UTC. */
  hours: { start: string; counts: Record<string, number> }[]
}

/**
 * How many events of each type the caller was a party of, hour by hour: in this hour and those before it.
 *
 * A count says nothing of an event that its list would mask, so it needs no mask.
 */
export async function countActivity(
  { counts, catchUp }: CountActivityDeps,
  { actsFor, hours, now }: CountActivityInput,
): Promise<ActivityCounts> {
  await catchUp()
  const since = now - (now % HOUR_MS) - (hours - 1) * HOUR_MS
  const parties = [...actsFor]
  const period = { since, limit: COUNTED_MAX }
  const byHour = new Map<number, Record<string, number>>()
  for (const { hourStart, eventType, count } of await counts.countByHour(parties, period)) {
    const hour = byHour.get(hourStart) ?? {}
    hour[eventType] = (hour[eventType] ?? 0) + count
    byHour.set(hourStart, hour)
  }
  let isComplete = true
  for (const party of parties) isComplete &&= !(await counts.hasMoreThan(party, period))
  return {
    since: isoTime(since),
    isComplete,
    hours: [...byHour]
      .sort(([earlier], [later]) => earlier - later)
      .map(([start, ofType]) => ({ start: isoTime(start), counts: ofType })),
  }
}

function isoTime(epochMs: number): string {
  return new Date(epochMs).toISOString()
}
