/** What identifies the standing approval in force; one of a former owner of agent or endpoint is not found. */
export type StandingKey = {
  agentId: string
  ownerId: string
  endpointId: string
  counterpartyOwnerId: string
  /** Empty for amounts without a currency. */
  currency: string
}

/** Writes a key as one text, by which keys are compared. */
export function standingKeyOf(key: StandingKey): string {
  return [key.agentId, key.ownerId, key.endpointId, key.counterpartyOwnerId, key.currency].join('\n')
}
