/** A signed receipt, as it is stored with the record of its decision. */
export type IssuedReceipt = {
  /** Compact JWS. */
  receipt: string
  /** `SVC-` identifier. */
  agentId: string
  /** Position in the status lists; null for a verdict that cannot be withdrawn, because it grants nothing. */
  statusIndex: number | null
  /** Thumbprint of the key that signed the request. */
  keyThumbprint: string | null
  /** The Ethereum account on which the proof of the request rests, and its revocation among the used proofs. */
  account: { address: string; revocation: string } | null
  /** Epoch milliseconds. */
  expiresAt: number
}

/**
 * An outcome to append to the log: its event, session and audit entry.
 *
 * It does not know its place: on PostgreSQL it gets one after its commit.
 */
export type NewAuditRecord = {
  /** UUIDv7: the `auditRecordId` of responses and events. */
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
  /** Internal id of the endpoint, which discovery and claiming do not change. */
  endpointId: string | null
  sessionId: string | null
  /** JSON text of the event’s payload; it is unmasked, and the views mask it. */
  eventData: string
  /** Canonical JSON text of all inputs of the decision. */
  inputs: string
  /** 16 bytes in hex; secret, so that the public hash of the inputs reveals nothing. */
  inputsSalt: string
  /** The receipt of the decision, to be stored with the record; undefined if none was asked for. */
  receipt?: IssuedReceipt | undefined
  /** The public entry, whose bytes are a leaf of the log. */
  entry: string
}
