import type { CompiledPolicy } from '../pdlss/compilePolicy.ts'
import type { Period } from '../time/period.ts'
import type { VerificationRequest } from './verificationRequest.ts'

/** What was granted before, exact at the moment of the decision; what is `undefined` is not checked. */
export type Counters = {
  /** Granted requests with a transactionValue by this agent anywhere in the last 3,600 s. */
  agentGrantsLastHour?: number | undefined
  /** The same at this endpoint only. */
  endpointGrantsLastHour?: number | undefined
  /** Granted spend of this agent at this endpoint since the start of the cap's period, a plain decimal. */
  cumulativeSpend?: string | undefined
  /** Sub-agents granted to this agent so far. */
  agentSubAgents?: number | undefined
  /** The same at this endpoint only. */
  endpointSubAgents?: number | undefined
}

/** Which counters a decision on a request rests on. */
export type CounterNeeds = {
  agentGrantsLastHour: boolean
  endpointGrantsLastHour: boolean
  /** The cap's calendar period and the epoch milliseconds at which the current one began: together the key of the sum. */
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
 * Says which counters have to be read, exactly, inside the transaction that decides; most requests need none.
 *
 * `now` is the one that the decision gets as well.
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
