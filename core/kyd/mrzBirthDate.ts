import { isCalendarDate } from './isCalendarDate.ts'

/**
 * The date of birth of a machine readable zone: `YYYY-MM-DD`, or `YYYY-MM`, `YYYY`, nothing where the rest is unknown
 * (`<<`); null when there is no such day.
 *
 * The zone has two digits for the year: of the years they can mean, it is the last that is not after today.
 *
 * @param today `YYYY-MM-DD`. Source: ICAO Doc 9303-3 §4.8, 9303-4 §4.2.2.2.
 */
export function mrzBirthDate(field: string, today: string): string | null {
  const [, year = '', month = '', day = ''] = /^(\d\d|<<)(\d\d|<<)(\d\d|<<)$/.exec(field) ?? []
  if (year === '') return null
  if (year === '<<') return ''
  const known = month === '<<' ? '' : `-${month}${day === '<<' ? '' : `-${day}`}`
  const century = Number(today.slice(0, 2))
  const candidates = [century, century - 1].map((hundreds) => `${hundreds}${year}${known}`)
  const born = candidates.find((date) => date <= today.slice(0, date.length) && isPossible(date))
  return born ?? null
}

/** A missing day or month is filled with one that every year has. */
function isPossible(date: string): boolean {
  return isCalendarDate(`${date}${'-01-01'.slice(date.length - 4)}`)
}
