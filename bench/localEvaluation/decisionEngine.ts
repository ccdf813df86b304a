/** The request that the compared engines decide on. */
export type DecisionRequest = {
  agentId: string
  purpose: string
  resource: string
  jurisdiction: string
  transactionValue: number
  currency: string
}

/** An engine that has loaded the policy; `now` is in epoch milliseconds. */
export type DecisionEngine = { name: string; decide: (request: DecisionRequest, now: number) => boolean }
