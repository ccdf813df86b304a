/** Counts the records that are decisions; the others report on the agent, whenever the chain has made progress. */
export function countDecisions(stored: readonly { sessionId: string | null }[]): number {
  return stored.filter(({ sessionId }) => sessionId !== null).length
}
