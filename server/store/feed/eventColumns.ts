/** What an event is read from, as its parties may see it: all of an audit record but its inputs and its entry. */
export const EVENT_COLUMNS = {
  seq: 'seq',
  recordId: 'record_id',
  recordedAt: 'recorded_at',
  eventType: 'event_type',
  ownerId: 'owner_id',
  counterpartyOwnerId: 'counterparty_owner_id',
  agentId: 'agent_id',
  endpointId: 'endpoint_id',
  sessionId: 'session_id',
  eventData: 'event_data',
} as const
