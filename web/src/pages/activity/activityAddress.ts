import type { Query } from '../../api/call.ts'
import { navigate } from '../../router/navigate.ts'

const HOUR_MS = 3_600_000

/** The periods that a list can be limited to; `dates` are those of `from` and `to`. */
export const PERIODS = [
  { value: '', label: 'Any time', ms: 0 },
  { value: 'hour', label: 'Last hour', ms: HOUR_MS },
  { value: 'day', label: 'Last 24 hours', ms: 24 * HOUR_MS },
  { value: 'week', label: 'Last 7 days', ms: 7 * 24 * HOUR_MS },
  { value: 'dates', label: 'Between dates', ms: 0 },
] as const

/** The filters that the address and the service have under the same name, and that live events are filtered by too. */
const SHARED = ['agent', 'endpoint', 'eventType', 'text', 'ip', 'currency', 'amountMin', 'amountMax'] as const

/** The filters in the address of the activity. */
export const FILTERS = [...SHARED, 'outcome', 'period', 'from', 'to'] as const

/** A filter in the address of the activity. */
export type FilterName = (typeof FILTERS)[number]

/** What is shown: everything that the address says, by name; empty for what it does not say. */
export type ActivityAddress = Readonly<Record<FilterName | 'order', string>>

/** Reads the filters and the order from an address. */
export function readActivityAddress(search: URLSearchParams): ActivityAddress {
  const names = [...FILTERS, 'order'] as const
  return Object.fromEntries(names.map((name) => [name, search.get(name) ?? ''])) as ActivityAddress
}

/** Changes filters in the address, as a step that the browser can go back from; empty ones are removed. */
export function changeActivityAddress(changes: Partial<ActivityAddress>): void {
  const search = new URLSearchParams(window.location.search)
  for (const [name, value] of Object.entries(changes)) {
    if (value === '') search.delete(name)
    else search.set(name, value)
  }
  navigate(search.size === 0 ? '/activity' : `/activity?${search}`)
}

/** The filters by which the service selects live events: those of the list that hold for each event of a purchase. */
export function liveQueryOf(address: ActivityAddress): Query {
  const { amountMin, amountMax, ...shared } = Object.fromEntries(SHARED.map((name) => [name, address[name]]))
  return address.currency === '' ? shared : { ...shared, amountMin, amountMax }
}

/**
 * The query for the list, and for its export.
 *
 * @param now Epoch milliseconds, from which the periods count back.
 */
export function listQueryOf(address: ActivityAddress, now: number): Query {
  const { outcome, order } = address
  return { ...liveQueryOf(address), ...timesOf(address, now), outcome, order, perPurchase: 'true' }
}

function timesOf({ period, from, to }: ActivityAddress, now: number): Query {
  if (period === 'dates') return { since: startOfDay(from, 0), until: startOfDay(to, 1) }
  const ms = PERIODS.find(({ value }) => value === period)?.ms ?? 0
  // Rounded to the minute, so that returning to the page soon finds the list in the cache.
  return ms === 0 ? {} : { since: new Date(Math.floor((now - ms) / 60_000) * 60_000).toISOString() }
}

/** The beginning of a day in the reader’s time zone, some days later; what is no date is left to the service to refuse. */
function startOfDay(date: string, daysLater: number): string {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(date) ?? []
  if (year === undefined) return date
  const start = new Date(Number(year), Number(month) - 1, Number(day) + daysLater)
  return Number.isNaN(start.getTime()) ? date : start.toISOString()
}
