import type { WeeklyWindow } from './weeklyWindow.ts'
import { zoneOf } from './zoneOf.ts'

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
