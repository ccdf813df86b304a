/** What the engines of the local comparison are asked about. */
export type DecisionRequest = {
  agentId: string
  purpose: string
  resource: string
  jurisdiction: string
  transactionValue: number
  currency: string
}

/** An engine that has read the policy; `now` in epoch milliseconds. */
export type DecisionEngine = { name: string; decide: (request: DecisionRequest, now: number) => boolean }
