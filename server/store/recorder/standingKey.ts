/** What identifies the standing approval in force; one of a former owner of agent or endpoint is not found. */
export type StandingKey = {
  agentId: string
  ownerId: string
  endpointId: string
  counterpartyOwnerId: string
  /** Empty for amounts without a currency. */
  currency: string
}
