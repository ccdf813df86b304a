export const HOUR = 3_600_000
export const DAY = 24 * HOUR
export const ZONES = ['UTC', ...Intl.supportedValuesOf('timeZone')]
export const FROM = Date.UTC(2025, 0, 1)
export const UNTIL = Date.UTC(2027, 0, 1)

const formatters = new Map<string, Intl.DateTimeFormat>()

/** The oracle: what a clock and a calendar on the wall in that zone show. */
export function wall(zone: string, instant: number): { weekday: number; hour: number; date: string } {
  let formatter = formatters.get(zone)
  if (formatter === undefined) {
    const fields = {
      weekday: 'short',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
    } as const
    formatter = new Intl.DateTimeFormat('en-US', { timeZone: zone, hourCycle: 'h23', ...fields })
    formatters.set(zone, formatter)
  }
  const parts = new Map(formatter.formatToParts(instant).map(({ type, value }) => [type, value]))
  return {
    weekday: ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'].indexOf(parts.get('weekday') ?? ''),
    hour: Number(parts.get('hour')),
    date: `${parts.get('year')}-${parts.get('month')}-${parts.get('day')}`,
  }
}
