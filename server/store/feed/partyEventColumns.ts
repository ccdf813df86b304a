import type { PlacedEvent } from './projectionStore.ts'

/** The columns of an event that both databases store as they are, in the order of `partyEventValues`. */
export const PARTY_EVENT_COLUMNS = [
  ...['party_id', 'seq', 'event_type', 'recorded_at', 'agent_id', 'endpoint_id', 'purchase_id', 'outcome'],
  ...['standing', 'source_ip', 'currency', 'amount', 'search_text'],
] as const

/**
 * The values of an event, in the order of `PARTY_EVENT_COLUMNS`; the standing of a purchase is set at its first event
 * afterwards.
 */
export function partyEventValues(event: PlacedEvent): (string | number | null)[] {
  const { partyId, seq, eventType, recordedAt, agentId, endpointId, purchaseId, outcome } = event
  const { standing, sourceIp, currency, amount, searchText } = event
  return [
    ...[partyId, seq, eventType, recordedAt, agentId, endpointId, purchaseId, outcome],
    ...[purchaseId === null ? standing : null, sourceIp, currency, amount, searchText],
  ]
}
