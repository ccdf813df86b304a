import type { CompiledPolicy } from '../pdlss/compilePolicy.ts'
import type { CumulativeScope } from '../pdlss/cumulativeScope.ts'
import type { Period } from '../time/period.ts'
import { resolveSpendCurrency } from './resolveSpendCurrency.ts'
import type { VerificationRequest } from './verificationRequest.ts'

/** Counts of earlier grants, exact at the time of the decision; a limit on an undefined count is not checked. */
export type Counters = {
  /** Grants with a transactionValue, at any endpoint, in the last 3,600 s that count under the agent's own cap. */
  agentGrantsLastHour?: number | undefined
  /** Those that count under each of `AgentFacts.ancestorMaxTransactionsPerHour`, in the same order. */
  ancestorGrantsLastHour?: readonly number[] | undefined
  /** The same at this endpoint only. */
  endpointGrantsLastHour?: number | undefined
  /** Granted spend in this currency since the start of the cap's period, as a plain decimal. */
  cumulativeSpend?: string | undefined
  /** Sub-agents granted to this agent in sessions that have not ended. */
  agentSubAgents?: number | undefined
  /** The same at this endpoint only. */
  endpointSubAgents?: number | undefined
  /** Approvals of this agent that are pending; counted only for requests that prove nothing. */
  pendingApprovals?: number | undefined
  /** Those of them that were requested by the owner of this endpoint. */
  pendingApprovalsHere?: number | undefined
}

/** The counters that a decision depends on. */
export type CounterNeeds = {
  agentGrantsLastHour: boolean
  endpointGrantsLastHour: boolean
  /**
   * The cap's calendar period, when the current one began in epoch milliseconds, the currency, and whose spend is added up:
   * together, the key of the sum. Nothing is converted between currencies, so each has a sum of its own. A request without a
   * currency counts in the sum of the boundaries' currency (`resolveSpendCurrency`).
   */
  cumulativeSpend:
    | { period: Period; since: number; currency: string | undefined; scope: CumulativeScope }
    | undefined
  agentSubAgents: boolean
  endpointSubAgents: boolean
}

const NO_NEEDS: CounterNeeds = Object.freeze({
  agentGrantsLastHour: false,
  endpointGrantsLastHour: false,
  cumulativeSpend: undefined,
  agentSubAgents: false,
  endpointSubAgents: false,
})

/**
 * Determines which counters the deciding transaction has to read; most requests need none.
 *
 * `now` must be the time that is passed to the decision.
 */
export function determineCounterNeeds(
  agent: CompiledPolicy,
  endpoint: CompiledPolicy,
  request: VerificationRequest,
  now: number,
): CounterNeeds {
  const spends = request.transactionValue !== undefined
  const creates = request.subAgent !== undefined
  if (!spends && !creates) return NO_NEEDS
  const cap = spends ? endpoint.limits.cumulative : undefined
  const currency = resolveSpendCurrency(request, { agent, endpoint })
  return {
    agentGrantsLastHour: spends && agent.limits.maxTransactionsPerHour !== undefined,
    endpointGrantsLastHour: spends && endpoint.limits.maxTransactionsPerHour !== undefined,
    cumulativeSpend: cap && {
      period: cap.period,
      since: cap.periodStart(now),
      // A sum in the boundary's own currency has no suffix.
      currency: currency === endpoint.limits.currency ? undefined : currency,
      scope: cap.scope,
    },
    agentSubAgents: creates && agent.selfInstantiation.maxSubAgents !== undefined,
    endpointSubAgents: creates && endpoint.selfInstantiation.maxSubAgents !== undefined,
  }
}
