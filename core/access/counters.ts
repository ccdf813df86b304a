import type { CompiledPolicy } from '../pdlss/compilePolicy.ts'
import type { Period } from '../time/period.ts'
import type { VerificationRequest } from './verificationRequest.ts'

/** Counts of earlier grants, exact at the time of the decision; a limit on an undefined count is not checked. */
export type Counters = {
  /** Grants with a transactionValue to this agent, at any endpoint, in the last 3,600 s. */
  agentGrantsLastHour?: number | undefined
  /** The same at this endpoint only. */
  endpointGrantsLastHour?: number | undefined
  /** Granted spend of this agent at this endpoint since the start of the cap's period, as a plain decimal. */
  cumulativeSpend?: string | undefined
  /** Sub-agents granted to this agent so far. */
  agentSubAgents?: number | undefined
  /** The same at this endpoint only. */
  endpointSubAgents?: number | undefined
}

/** The counters that a decision depends on. */
export type CounterNeeds = {
  agentGrantsLastHour: boolean
  endpointGrantsLastHour: boolean
  /** The cap's calendar period, and when the current one began in epoch milliseconds: together, the key of the sum. */
  cumulativeSpend: { period: Period; since: number } | undefined
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
  return {
    agentGrantsLastHour: spends && agent.limits.maxTransactionsPerHour !== undefined,
    endpointGrantsLastHour: spends && endpoint.limits.maxTransactionsPerHour !== undefined,
    cumulativeSpend: cap && { period: cap.period, since: cap.periodStart(now) },
    agentSubAgents: creates && agent.selfInstantiation.maxSubAgents !== undefined,
    endpointSubAgents: creates && endpoint.selfInstantiation.maxSubAgents !== undefined,
  }
}
