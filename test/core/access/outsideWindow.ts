import type { Pdlss } from '@svc/core/pdlss/pdlss.ts'

/** Whether a time is outside the days and hours of a boundary, read from the clock on the wall of its zone. */
export function outsideWindow(duration: Pdlss['duration'], now: number): boolean {
  const [day = '', hourText = ''] = wallClock(duration?.timezone ?? 'UTC')
    .format(now)
    .split(', ')
  const weekday = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'].indexOf(day)
  const hour = Number(hourText)
  const days = duration?.allowedDays ?? []
  const isOn = (one: number) => days.length === 0 || days.includes(one)
  const { start, end } = duration?.allowedHours ?? { start: 0, end: 24 }
  if (start < end) return !(isOn(weekday) && hour >= start && hour < end)
  return !((hour >= start && isOn(weekday)) || (hour < end && isOn((weekday + 6) % 7)))
}

const formatters = new Map<string, Intl.DateTimeFormat>()

function wallClock(timeZone: string): Intl.DateTimeFormat {
  const known = formatters.get(timeZone)
  if (known !== undefined) return known
  const fields = { weekday: 'short', hour: '2-digit', hourCycle: 'h23' } as const
  const formatter = new Intl.DateTimeFormat('en-GB', { timeZone, ...fields })
  formatters.set(timeZone, formatter)
  return formatter
}
