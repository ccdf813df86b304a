/** How many of the records are decisions; others tell of the agent, whenever the chain has got so far. */
export function countDecisions(stored: readonly { sessionId: string | null }[]): number {
  return stored.filter(({ sessionId }) => sessionId !== null).length
}
