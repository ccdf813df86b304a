// The names under which the recorder counts what a cap of an endpoint limits. What the counters are is in buildCounterQuery.

/** All callers without identity. */
export const ANONYMOUS_CALLER = 'anonymous'
/** All callers together. */
export const ALL_CALLERS = '*'

/** Whose counter it is. */
type CounterOwner = {
  countsAs: string
  /** Whether the requests are counted apart from the proven ones of the same caller. */
  isApart: boolean
}

/** Names the count of a caller's transactions at an endpoint. */
export function nameEndpointScope({ countsAs, isApart }: CounterOwner, endpointId: string): string {
  return `${countsAs}@${endpointId}${isApart ? '~' : ''}`
}

/** Names whose spend at an endpoint adds up. */
export function nameSpender({ countsAs, isApart }: CounterOwner): string {
  return isApart ? `${countsAs}~` : countsAs
}

/**
 * Names a period of spend.
 *
 * @param since Its start, in epoch milliseconds.
 * @param currency Absent for the currency of the endpoint’s boundary, or none.
 */
export function nameSpendPeriod(period: string, since: number, currency?: string): string {
  return [period, since, ...(currency ? [currency] : [])].join(':')
}
