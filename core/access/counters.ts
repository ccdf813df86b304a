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
