const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const

/** Whether `YYYY-MM-DD` is a day of the Gregorian calendar. */
export function isCalendarDate(date: string): boolean {
  const [, year = '', month = '', day = ''] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(date) ?? []
  const leapDay = Number(month) === 2 && isLeap(Number(year)) ? 1 : 0
  const days = (DAYS[Number(month) - 1] ?? 0) + leapDay
  return Number(day) >= 1 && Number(day) <= days
}

function isLeap(year: number): boolean {
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
}
