import type { WeeklyWindow } from './weeklyWindow.ts'

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
