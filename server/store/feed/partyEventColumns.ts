import type { PlacedEvent } from './projectionStore.ts'

/** The columns of an event that both databases store as they are, in the order of `partyEventValues`. */
export const PARTY_EVENT_COLUMNS = [
  ...['party_id', 'seq', 'event_type', 'recorded_at', 'agent_id', 'endpoint_id', 'purchase_id', 'outcome'],
  ...['standing', 'source_ip', 'currency', 'amount', 'search_text'],
] as const

/** The values of an event, in the order of `PARTY_EVENT_COLUMNS`. @param standing Null unless it opens its purchase. */
export function partyEventValues(event: PlacedEvent, standing: string | null): (string | number | null)[] {
  const { partyId, seq, eventType, recordedAt, agentId, endpointId, purchaseId, outcome } = event
  const { sourceIp, currency, amount, searchText } = event
  return [
    ...[partyId, seq, eventType, recordedAt, agentId, endpointId, purchaseId, outcome],
    ...[standing, sourceIp, currency, amount, searchText],
  ]
}
