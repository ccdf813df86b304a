import { addDecimals, compareDecimals } from '../decimal.ts'
import { findPeriodStart, type Period } from '../time/period.ts'
import { zoneOf } from '../time/zone.ts'
import type { CumulativeScope } from './cumulativeScope.ts'
import type { Pdlss } from './pdlss.ts'

/** The limits dimension of a boundary. A missing threshold is infinite, except as `compileLimits` says. */
export type CompiledLimits = {
  currency: string | undefined
  /** Spend at or above this asks for approval. */
  autonomousThreshold: number
  /** An approval of spend at or above this must be a passkey assertion made for it. */
  freshThreshold: number
  /** Spend at or above this is refused. */
  hardLimit: number
  maxTransactionsPerHour: number | undefined
  cumulative: CumulativeCap | undefined
  /** The currency is that of `resolveSpendCurrency`. */
  refusesSpend: (value: number, currency: string | undefined) => boolean
}

/** A cap on cumulative spend in a calendar period of the boundary's zone. */
type CumulativeCap = {
  period: Period
  scope: CumulativeScope
  /** When the period around `now` began; both in epoch milliseconds. */
  periodStart: (now: number) => number
  /** `spent` is a plain decimal. The sum may reach the cap but not exceed it. */
  isExceededBy: (spent: string, value: number) => boolean
}

/**
 * Compiles the limits dimension.
 *
 * The Hard Limit is approvalThreshold, otherwise stepUpThreshold, otherwise autonomousThreshold. The lowest other threshold
 * replaces a missing autonomousThreshold. A currency other than the boundary's is refused, because converting it would be a
 * guess. JSON numbers can be compared as doubles, which have the order of their shortest decimal forms; only sums need
 * decimals.
 */
export function compileLimits(limits: Pdlss['limits'], timezone: string | undefined): CompiledLimits {
  const { autonomousThreshold, stepUpThreshold, approvalThreshold, currency } = limits ?? {}
  const hardLimit = approvalThreshold ?? stepUpThreshold ?? autonomousThreshold ?? Number.POSITIVE_INFINITY
  return {
    currency,
    autonomousThreshold: autonomousThreshold ?? stepUpThreshold ?? hardLimit,
    freshThreshold: stepUpThreshold ?? Number.POSITIVE_INFINITY,
    hardLimit,
    maxTransactionsPerHour: limits?.maxTransactionsPerHour,
    cumulative: compileCumulative(limits, timezone),
    refusesSpend: (value, spent) =>
      value >= hardLimit || (currency !== undefined && spent !== undefined && spent !== currency),
  }
}

function compileCumulative(limits: Pdlss['limits'], timezone: string | undefined): CumulativeCap | undefined {
  const max = limits?.maxCumulativeSpend
  if (max === undefined) return undefined
  const period = limits?.cumulativePeriod ?? 'day'
  const zone = zoneOf(timezone ?? 'UTC')
  return {
    period,
    scope: limits?.cumulativeScope ?? 'agent',
    periodStart: (now) => findPeriodStart(period, now, zone),
    isExceededBy: (spent, value) => compareDecimals(addDecimals(spent, value), max) > 0,
  }
}
