import { zoneOf } from './zone.ts'

/** When something is allowed: days 0 (Sunday) to 6, whole hours half-open, in a named zone. Spec: PDLSS object, duration. */
export type WeeklyWindow = {
  allowedDays?: readonly number[] | undefined
  allowedHours?: { start: number; end: number } | undefined
  /** IANA name; UTC when absent. */
  timezone?: string | undefined
}

const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000
/** 1 January 1970 was a Thursday. */
const EPOCH_WEEKDAY = 4

/**
 * Compiles a window into one question: is this instant (epoch milliseconds) inside?
 *
 * Hours are those on the wall clock of the zone. Where `start` is after `end` the window spans midnight and the part after midnight
 * belongs to the day it began. No days, or an empty list: every day; no hours: the whole day.
 */
export function compileWeeklyWindow(window: WeeklyWindow): (now: number) => boolean {
  const days = new Set(window.allowedDays ?? [])
  const hours = window.allowedHours
  if (days.size === 0 && hours === undefined) return () => true
  const dayAllowed = [0, 1, 2, 3, 4, 5, 6].map((day) => days.size === 0 || days.has(day))
  const { start, end } = hours ?? { start: 0, end: 24 }
  const spansMidnight = start > end
  const { offsetAt } = zoneOf(window.timezone ?? 'UTC')
  return (now) => {
    const local = now + offsetAt(now)
    const dayNumber = Math.floor(local / DAY_MS)
    const hour = Math.floor((local - dayNumber * DAY_MS) / HOUR_MS)
    const isAfterMidnight = spansMidnight && hour < end
    const weekday = modulo7(dayNumber + EPOCH_WEEKDAY - (isAfterMidnight ? 1 : 0))
    if (dayAllowed[weekday] !== true) return false
    return spansMidnight ? hour >= start || hour < end : hour >= start && hour < end
  }
}

function modulo7(day: number): number {
  return ((day % 7) + 7) % 7
}

/**
 * Says whether every moment inside of `inner` lies inside of `outer`.
 *
 * Windows are compared as the hours of a week on the clock of one zone. In different zones the answer is a yes only where
 * `outer` leaves nothing out: their clocks shift against each other.
 */
export function coversWindow(outer: WeeklyWindow, inner: WeeklyWindow): boolean {
  const allowed = hoursOf(outer)
  if (allowed.size === WEEK_HOURS) return true
  if ((outer.timezone ?? 'UTC') !== (inner.timezone ?? 'UTC')) return false
  return [...hoursOf(inner)].every((hour) => allowed.has(hour))
}

const WEEK_HOURS = 168

/** The hours of a week from Sunday 0:00; a window over midnight goes on into the day after the one it began. */
function hoursOf({ allowedDays = [], allowedHours }: WeeklyWindow): Set<number> {
  const days = allowedDays.length === 0 ? [0, 1, 2, 3, 4, 5, 6] : allowedDays
  const { start, end } = allowedHours ?? { start: 0, end: 24 }
  const length = start < end ? end - start : end + 24 - start
  const hours = days.flatMap((day) =>
    Array.from({ length }, (_, after) => (day * 24 + start + after) % WEEK_HOURS),
  )
  return new Set(hours)
}
