/**
 * One outcome on its way into the log: its event, session and audit entry.
 *
 * `entryOf` builds the public entry once the transaction knows the sequence number.
 */
export type NewAuditRecord = {
  /** UUIDv7, the `auditRecordId` of answers and events. */
  recordId: string
  /** Epoch milliseconds. */
  recordedAt: number
  eventType: string
  /** Owner of the calling agent (`SVCD-`/`SVCO-`). */
  ownerId: string | null
  /** Owner of the endpoint (`SVCD-`/`SVCO-`). */
  counterpartyOwnerId: string | null
  /** `SVC-` identifier. */
  agentId: string | null
  /** Internal id of the endpoint: stable through discovery and claim. */
  endpointId: string | null
  sessionId: string | null
  /** JSON text of the event's payload; unmasked, the views mask it. */
  eventData: string
  /** Canonical JSON text of everything the decision was made from. */
  inputs: string
  /** 16 bytes in hex; private, so that the public hash of the inputs says nothing. */
  inputsSalt: string
  entryOf(seq: number): string
}
