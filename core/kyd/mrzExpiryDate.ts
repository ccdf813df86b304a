import { isCalendarDate } from './isCalendarDate.ts'

/** A passport is good for ten years; so long after it ran out, or before, nothing else is meant. */
const YEARS_AHEAD_MAX = 30

/**
 * The date of expiry of a machine readable zone as `YYYY-MM-DD`; null when there is no such day.
 *
 * The zone has two digits for the year: they mean the year that lies less than thirty years ahead, else before.
 *
 * @param today `YYYY-MM-DD`. Source: ICAO Doc 9303-3 §4.8, 9303-4 §4.2.2.2.
 */
export function mrzExpiryDate(field: string, today: string): string | null {
  const [, year, month, day] = /^(\d\d)(\d\d)(\d\d)$/.exec(field) ?? []
  if (year === undefined) return null
  const thisYear = Number(today.slice(0, 4))
  const ahead = (((Number(year) - thisYear) % 100) + 100) % 100
  const full = thisYear + (ahead < YEARS_AHEAD_MAX ? ahead : ahead - 100)
  const date = `${full}-${month}-${day}`
  return isCalendarDate(date) ? date : null
}
