import type { VerifiedInput } from '../facts.ts'
import { type Findings, findingOf, NOTHING } from '../findings.ts'

const ASK = findingOf('commerce.intent.approval_required')
const OWN = findingOf('pdlss.limits')
const RATE = findingOf('pdlss.rate')
const ENDPOINT = findingOf('endpoint.limits')

/**
 * The value of the transaction, how many there were in the last hour, and how much was spent in the period.
 *
 * Of the two boundaries' thresholds the tighter holds: below both autonomousThresholds spend needs no one, at either Hard Limit it
 * is refused, in between the owner is asked. Spec: PDLSS object, limits; Step-up dimensions.
 */
export function checkSpend({ agent, endpoint, request, counters }: VerifiedInput): Findings {
  const value = request.transactionValue
  if (value === undefined) return NOTHING
  const own = agent.policy.limits
  const theirs = endpoint.policy.limits
  const asksFrom = Math.min(
    own.autonomousThreshold,
    theirs.autonomousThreshold,
    agent.approvalRules.asksOnSpendFrom,
  )
  const isRefused = own.refusesSpend(value, request.currency)
  const isRefusedThere = theirs.refusesSpend(value, request.currency)
  const isOverThere =
    isRefusedThere ||
    isReached(theirs.maxTransactionsPerHour, counters.endpointGrantsLastHour) ||
    (counters.cumulativeSpend !== undefined &&
      theirs.cumulative?.isExceededBy(counters.cumulativeSpend, value) === true)
  return (
    (isRefused ? OWN : NOTHING) |
    (isReached(own.maxTransactionsPerHour, counters.agentGrantsLastHour) ? RATE : NOTHING) |
    (isOverThere ? ENDPOINT : NOTHING) |
    (!isRefused && !isRefusedThere && value >= asksFrom ? ASK : NOTHING)
  )
}

function isReached(max: number | undefined, count: number | undefined): boolean {
  return max !== undefined && count !== undefined && count >= max
}
