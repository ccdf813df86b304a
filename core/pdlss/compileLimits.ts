import { addDecimals, compareDecimals } from '../decimal.ts'
import { findPeriodStart, type Period } from '../time/period.ts'
import { zoneOf } from '../time/zone.ts'
import type { Pdlss } from './pdlss.ts'

/** The limits dimension of a boundary; thresholds that are not named are infinite. */
export type CompiledLimits = {
  currency: string | undefined
  /** Spend from here on asks for approval. */
  autonomousThreshold: number
  /** Spend from here on needs an assertion made for this approval. */
  freshThreshold: number
  /** Spend from here on is refused. */
  hardLimit: number
  maxTransactionsPerHour: number | undefined
  cumulative: CumulativeCap | undefined
  refusesSpend: (value: number, currency: string | undefined) => boolean
}

/** A cap on the sum of spend in a calendar period of the boundary's zone. */
type CumulativeCap = {
  period: Period
  /** Epoch milliseconds at which the period around `now` began. */
  periodStart: (now: number) => number
  /** `spent` is a plain decimal; the sum may reach the cap. */
  isExceededBy: (spent: string, value: number) => boolean
}

/**
 * Compiles the limits dimension.
 *
 * The Hard Limit is approvalThreshold, else stepUpThreshold, else autonomousThreshold; where autonomousThreshold is missing the
 * lowest threshold named stands in for it. A stated currency other than the boundary's is refused: no conversion is guessed.
 * Comparing JSON numbers as doubles is exact, because doubles order as their shortest decimal forms do; only sums need decimals.
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
    refusesSpend: (value, stated) =>
      value >= hardLimit || (currency !== undefined && stated !== undefined && stated !== currency),
  }
}

function compileCumulative(limits: Pdlss['limits'], timezone: string | undefined): CumulativeCap | undefined {
  const max = limits?.maxCumulativeSpend
  if (max === undefined) return undefined
  const period = limits?.cumulativePeriod ?? 'day'
  const zone = zoneOf(timezone ?? 'UTC')
  return {
    period,
    periodStart: (now) => findPeriodStart(period, now, zone),
    isExceededBy: (spent, value) => compareDecimals(addDecimals(spent, value), max) > 0,
  }
}
