import type { ResultOf } from '@svc/core/contract/operations.ts'
import { toIsoTime } from '@svc/core/time/toIsoTime.ts'
import type { DecisionCountStore } from '../../store/feed/decisionCountStore.ts'
import { findFirstRecentDay, RECENT_DAYS } from './recentDays.ts'

export type ReadDecisionStatisticsDeps = {
  decisions: DecisionCountStore
  /** Resolves when everything recorded so far can be found in the feed. */
  catchUp: () => Promise<unknown>
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** There are fewer dimensions than this many a day. */
const REASONS_MAX = 100 * RECENT_DAYS
/** Daily counts of counterparts that are read; bounds the cost for an endpoint with many callers. */
const COUNTERPARTS_READ_MAX = 20_000
const COUNTERPARTS_MAX = 5

/** Counterparts by the id under which they are stored. */
type DecisionStatistics = Omit<ResultOf<'GET /api/endpoints/:id/statistics'>, 'caps' | 'counterparts'> & {
  counterparts: { id: string; count: number }[]
}

/**
 * Reads the decisions about an agent or an endpoint in the last 30 days from the projection's counts.
 *
 * The caller has to be allowed to see the events of the subject; the counts reveal nothing that the events do not.
 */
export async function readDecisionStatistics(
  { decisions, catchUp }: ReadDecisionStatisticsDeps,
  { subjectId, now }: { subjectId: string; now: number },
): Promise<DecisionStatistics> {
  await catchUp()
  const fromDay = findFirstRecentDay(now)
  const outcomes = await decisions.outcomes(subjectId, fromDay * 24)
  const denials = await decisions.days(subjectId, 'dimension', { fromDay, limit: REASONS_MAX })
  const limit = COUNTERPARTS_READ_MAX + 1
  const others = await decisions.days(subjectId, 'counterpart', { fromDay, limit })
  const lastAt = await decisions.lastAt(subjectId)
  return {
    since: toIsoTime(fromDay * DAY_MS),
    hours: groupByHour(outcomes),
    reasons: rank(denials).map(([dimension, count]) => ({ dimension, count })),
    counterparts: rank(others.slice(0, COUNTERPARTS_READ_MAX))
      .slice(0, COUNTERPARTS_MAX)
      .map(([id, count]) => ({ id, count })),
    areCounterpartsComplete: others.length < limit,
    lastUsedAt: toIsoTime(lastAt),
  }
}

function groupByHour(outcomes: readonly { hour: number; eventType: string; decisions: number }[]) {
  const hours = new Map<number, Record<string, number>>()
  for (const { hour, eventType, decisions } of outcomes) {
    const counts = hours.get(hour) ?? {}
    hours.set(hour, { ...counts, [eventType]: decisions })
  }
  return Array.from(hours, ([hour, counts]) => ({ start: toIsoTime(hour * HOUR_MS), counts }))
}

/** Sums the counts of each name, and sorts by them; equal ones by name. */
function rank(days: readonly { name: string; decisions: number }[]): [string, number][] {
  const sums = new Map<string, number>()
  for (const { name, decisions } of days) sums.set(name, (sums.get(name) ?? 0) + decisions)
  return [...sums].sort(([a, most], [b, least]) => least - most || (a < b ? -1 : 1))
}
