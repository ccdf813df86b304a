/** What the feed counts and says of an event without its payload: no name, amount or address. */
const KEPT = ['recommendation', 'accessLevel', 'countsAgainstAgent', 'svceId', 'endpointTier']

/**
 * What stays in the log of an event whose payload is archived: enough to build the feed anew with the same counts, and
 * the mark that the rest is elsewhere.
 *
 * @param eventData JSON text.
 */
export function keptEventData(eventData: string): string {
  const data = JSON.parse(eventData) as Record<string, unknown>
  const kept = Object.entries(data).filter(([member]) => KEPT.includes(member))
  return JSON.stringify({ ...Object.fromEntries(kept), archived: true })
}
