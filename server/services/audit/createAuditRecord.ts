import { type AuditEntryFields, writeAuditEntry } from '@svc/core/audit/auditEntry.ts'
import { hashInputs } from '@svc/core/audit/hashInputs.ts'
import { generateUuidV7 } from '@svc/core/ids/uuids.ts'
import { hashReceipt } from '@svc/core/receipt/hashReceipt.ts'
import type { IssuedReceipt, NewAuditRecord } from '../../store/audit/newAuditRecord.ts'
import { generateHex } from '../generateHex.ts'

/** An event before ids, salts and hashes are added. */
export type AuditedEvent = {
  eventType: string
  ownerId: string | null
  counterpartyOwnerId: string | null
  /** `SVC-` identifier. */
  agentId: string | null
  /** Internal id of the endpoint. */
  endpointId: string | null
  sessionId?: string | null
  correlationId?: string | null
  decision?: AuditEntryFields['decision']
  dimensions?: readonly string[]
  identityProof?: AuditEntryFields['identityProof']
  mandateHash?: AuditEntryFields['mandateHash']
  policyHashes?: AuditEntryFields['policyHashes']
  /** Payload of the event in the activity feed. */
  eventData: object
  /** Inputs of the decision; empty for events without one. */
  inputs?: object
  /** Public facts to which a record other than a verification commits, such as the hash of a file. */
  subject?: Readonly<Record<string, string>>
  /** Issues the receipt of the decision, to whose hash the entry then commits. */
  issueReceipt?: ((recordId: string) => IssuedReceipt) | undefined
}

const NO_POLICIES = { agent: null, endpoint: null }

/**
 * Creates the record of an event, with its ids, its salts and its entry.
 *
 * Source: `Spec: Events`.
 */
export function createAuditRecord(
  event: AuditedEvent,
  now: number,
  randomBytes: (length: number) => Uint8Array,
): NewAuditRecord {
  const recordId = generateUuidV7(now, randomBytes(10))
  const inputs = JSON.stringify(event.inputs ?? {})
  const inputsSalt = generateHex(randomBytes, 16)
  const salt = generateHex(randomBytes, 16)
  const sessionId = event.sessionId ?? null
  const receipt = event.issueReceipt?.(recordId)
  return {
    recordId,
    recordedAt: now,
    eventType: event.eventType,
    ownerId: event.ownerId,
    counterpartyOwnerId: event.counterpartyOwnerId,
    agentId: event.agentId,
    endpointId: event.endpointId,
    sessionId,
    eventData: JSON.stringify(event.eventData),
    inputs,
    inputsSalt,
    receipt,
    entry: writeAuditEntry({
      type: event.eventType,
      recordId,
      agentId: event.agentId,
      endpointId: event.endpointId,
      sessionId,
      correlationId: event.correlationId ?? null,
      decision: event.decision ?? null,
      dimensions: event.dimensions ?? [],
      identityProof: event.identityProof ?? null,
      inputsHash: hashInputs(inputsSalt, inputs),
      mandateHash: event.mandateHash ?? null,
      policyHashes: event.policyHashes ?? NO_POLICIES,
      receiptHash: receipt === undefined ? null : hashReceipt(receipt.receipt),
      time: new Date(now).toISOString(),
      salt,
      subject: event.subject ?? null,
    }),
  }
}
