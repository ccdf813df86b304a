import { zoneOf } from './zone.ts'

/**
 * The days (0 is Sunday) and hours of a week at which something is allowed, in a named zone; `end` is exclusive.
 * Spec: PDLSS object, duration.
 */
export type WeeklyWindow = {
  allowedDays?: readonly number[] | undefined
  allowedHours?: { start: number; end: number } | undefined
  /** IANA name; default UTC. */
  timezone?: string | undefined
}

const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000
/** 1 January 1970 was a Thursday. */
const EPOCH_WEEKDAY = 4

/**
 * Compiles a window into a test of whether an instant (epoch milliseconds) is inside it.
 *
 * Hours are wall-clock hours in the zone. When `start` is after `end`, the window spans midnight, and the part after
 * midnight belongs to the day on which it began. No days or an empty list mean every day; no hours mean the whole day.
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
 * Whether every instant inside `inner` is also inside `outer`.
 *
 * Windows in the same zone are compared hour by hour. Windows in different zones cannot be compared, because their clocks
 * shift against each other; then only an `outer` without any restriction covers `inner`.
 */
export function coversWindow(outer: WeeklyWindow, inner: WeeklyWindow): boolean {
  const allowed = hoursOf(outer)
  if (allowed.size === WEEK_HOURS) return true
  if (zoneNameOf(outer) !== zoneNameOf(inner)) return false
  return [...hoursOf(inner)].every((hour) => allowed.has(hour))
}

/** Names of zones differ in more than their case. */
function zoneNameOf({ timezone = 'UTC' }: WeeklyWindow): string {
  return timezone.toLowerCase()
}

const WEEK_HOURS = 168

/**
 * The hours of the week inside a window, counted from Sunday 0:00; a window that spans midnight continues into the next
 * day.
 */
function hoursOf({ allowedDays = [], allowedHours }: WeeklyWindow): Set<number> {
  const days = allowedDays.length === 0 ? [0, 1, 2, 3, 4, 5, 6] : allowedDays
  const { start, end } = allowedHours ?? { start: 0, end: 24 }
  const length = start < end ? end - start : end + 24 - start
  const hours = days.flatMap((day) =>
    Array.from({ length }, (_, after) => (day * 24 + start + after) % WEEK_HOURS),
  )
  return new Set(hours)
}
