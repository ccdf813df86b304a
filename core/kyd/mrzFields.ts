/** A name field of a passport: the surname, two fillers, the given names, fillers to its end. */
const NAMES = /^([A-Z]+(?:<[A-Z]+)*)(?:<<([A-Z]+(?:<[A-Z]+)*))?<*$/

/**
 * Parses the name field of a machine-readable zone, replacing single fillers by spaces; null when it is invalid.
 *
 * A person with one name has no given names. A name that is too long for the field is already cut off in the passport.
 * Source: ICAO Doc 9303-3 §4.6, 9303-4 §4.2.2.1.
 */
export function parseMrzNames(field: string): { surname: string; givenNames: string } | null {
  const [, surname, givenNames = ''] = NAMES.exec(field) ?? []
  if (surname === undefined) return null
  return { surname: surname.replaceAll('<', ' '), givenNames: givenNames.replaceAll('<', ' ') }
}

/**
 * Parses the date of birth in a machine-readable zone: `YYYY-MM-DD`, or `YYYY-MM`, `YYYY` or the empty string when parts are
 * unknown (`<<`); null when there is no such day.
 *
 * The zone has a year of two digits, which means the latest possible year that is not in the future.
 *
 * @param today `YYYY-MM-DD`. Source: ICAO Doc 9303-3 §4.8, 9303-4 §4.2.2.2.
 */
export function parseMrzBirthDate(field: string, today: string): string | null {
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

/** A passport is valid for ten years, so no date of expiry is further from today than this. */
const YEARS_AHEAD_MAX = 30

/**
 * Parses the date of expiry in a machine-readable zone as `YYYY-MM-DD`; null when there is no such day.
 *
 * The zone has a year of two digits, which means a year less than thirty years ahead, or otherwise the latest one in the
 * past.
 *
 * @param today `YYYY-MM-DD`. Source: ICAO Doc 9303-3 §4.8, 9303-4 §4.2.2.2.
 */
export function parseMrzExpiryDate(field: string, today: string): string | null {
  const [, year, month, day] = /^(\d\d)(\d\d)(\d\d)$/.exec(field) ?? []
  if (year === undefined) return null
  const thisYear = Number(today.slice(0, 4))
  const ahead = (((Number(year) - thisYear) % 100) + 100) % 100
  const full = thisYear + (ahead < YEARS_AHEAD_MAX ? ahead : ahead - 100)
  const date = `${full}-${month}-${day}`
  return isCalendarDate(date) ? date : null
}

const WEIGHTS = [7, 3, 1] as const

/**
 * Computes the check digit, 0 to 9, of a field of a machine-readable zone.
 *
 * Digits have their own value, A to Z are 10 to 35, and the filler `<` is 0. Any other character is 0 as well; the caller
 * has to refuse it. Source: ICAO Doc 9303-3 §4.9.
 */
export function computeMrzCheckDigit(field: string): number {
  let sum = 0
  for (let at = 0; at < field.length; at += 1) sum += digitOf(field.charCodeAt(at)) * (WEIGHTS[at % 3] ?? 0)
  return sum % 10
}

function digitOf(code: number): number {
  if (code >= 48 && code <= 57) return code - 48
  if (code >= 65 && code <= 90) return code - 55
  return 0
}

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const

/** Whether `YYYY-MM-DD` is a day of the Gregorian calendar. */
function isCalendarDate(date: string): boolean {
  const [, year = '', month = '', day = ''] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(date) ?? []
  const leapDay = Number(month) === 2 && isLeap(Number(year)) ? 1 : 0
  const days = (DAYS[Number(month) - 1] ?? 0) + leapDay
  return Number(day) >= 1 && Number(day) <= days
}

function isLeap(year: number): boolean {
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
}
