import type { Zone } from './zone.ts'

/** The calendar periods over which spend is summed; `total` never restarts. */
export const PERIODS = ['hour', 'day', 'week', 'month', 'total'] as const

export type Period = (typeof PERIODS)[number]

const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000

/**
 * Finds when the calendar period around `now` began in a zone, in epoch milliseconds; 0 for `total`.
 *
 * Weeks begin on Monday (ISO 8601), and hours are those of UTC. Calendar periods let one stored sum replace a search through
 * history. Where a local midnight is skipped or happens twice, every `now` of the period still has the same start.
 */
export function findPeriodStart(period: Period, now: number, zone: Zone): number {
  if (period === 'total') return 0
  if (period === 'hour') return Math.floor(now / HOUR_MS) * HOUR_MS
  return instantOf(findLocalStart(period, now + zone.offsetAt(now)), zone)
}

/** After how many hours another period has begun, but not yet the one after it, whatever the clocks do. */
const HOURS_INTO_NEXT = { hour: 1, day: 36, week: 7.5 * 24, month: 33 * 24 } as const

/** Finds when the period around `now` ends, in epoch milliseconds; null for `total`, which never does. */
export function findPeriodEnd(period: Period, now: number, zone: Zone): number | null {
  if (period === 'total') return null
  const next = findPeriodStart(period, now, zone) + HOURS_INTO_NEXT[period] * HOUR_MS
  return findPeriodStart(period, next, zone)
}

function findLocalStart(period: 'day' | 'week' | 'month', local: number): number {
  const dayNumber = Math.floor(local / DAY_MS)
  if (period === 'day') return dayNumber * DAY_MS
  if (period === 'week') return (dayNumber - modulo7(dayNumber + 3)) * DAY_MS
  const date = new Date(local)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1)
}

function modulo7(day: number): number {
  return ((day % 7) + 7) % 7
}

/** The first instant at which the wall clock shows a local time, or has passed it if the clock skips it. */
function instantOf(localTime: number, zone: Zone): number {
  const earliest = localTime - zone.offsetAt(localTime - DAY_MS)
  const latest = localTime - zone.offsetAt(localTime + DAY_MS)
  const isEarliest = earliest + zone.offsetAt(earliest) === localTime
  const isLatest = latest + zone.offsetAt(latest) === localTime
  if (isEarliest && isLatest) return Math.min(earliest, latest)
  if (isLatest && !isEarliest) return latest
  return earliest
}
