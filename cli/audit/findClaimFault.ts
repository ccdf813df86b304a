import type { AuditEntryFields } from '@svc/core/audit/auditEntry.ts'
import { findEntryDifference, type ShownEvent } from '@svc/core/audit/findEntryDifference.ts'
import { hashInputs } from '@svc/core/audit/hashInputs.ts'
import { isJsonObject } from '@svc/core/json.ts'
import { parseJsonObject } from '@svc/core/parseJsonObject.ts'
import { findReceiptFault } from './findReceiptFault.ts'

type Members = Record<string, unknown>

/** Members next to a proof, as they were read: the event in an export, the whole stored row in an archive. */
export type Claims = {
  recordId?: unknown
  seq?: unknown
  event?: unknown
  archived?: unknown
  receipt?: unknown
  issuerKey?: unknown
}

/**
 * Finds a contradiction between the members next to a proof and the proven entry at its index; null if they agree on
 * everything that both contain.
 *
 * No entry contains names, amounts or addresses. An archive has them in its inputs, which the entry commits to; in an
 * export they are unproven claims of its author.
 *
 * Source: docs/auditing.md; docs/decisions/0042.
 */
export function findClaimFault(
  { recordId, seq, event, archived, receipt, issuerKey }: Claims,
  { entry, index }: { entry: AuditEntryFields; index: number },
): string | null {
  if (typeof recordId === 'string' && recordId !== entry.recordId) {
    return `it proves record ${entry.recordId}, not ${recordId}`
  }
  if (typeof seq === 'number' && seq !== index) return `it proves record number ${index}, not ${seq}`
  const difference = isJsonObject(event) ? findEntryDifference(readEvent(event), entry) : null
  if (difference !== null) return `the event does not match its entry: ${difference}`
  const unbound = typeof receipt === 'string' ? findReceiptFault({ receipt, issuerKey }, entry) : null
  if (unbound !== null) return unbound
  return isJsonObject(archived) ? findArchiveFault(archived, entry) : null
}

/** Reads an event next to a proof, of which anything may be of another type. */
export function readEvent({ eventData, ...event }: Members): ShownEvent {
  return { ...event, eventData: isJsonObject(eventData) ? eventData : {} }
}

/** Reads the event in the row of an archived record, in which the payload is a JSON text. */
export function readArchivedEvent({ eventType, agentId, recordedAt, eventData }: Members): ShownEvent {
  const payload = (typeof eventData === 'string' ? parseJsonObject(eventData) : null) ?? {}
  return { eventType, agentId, occurredAt: formatTime(recordedAt), eventData: payload }
}

/** @param archived The row of a record, in which the event's payload and the inputs are JSON texts. */
function findArchiveFault(archived: Members, entry: AuditEntryFields): string | null {
  const { endpointId, sessionId, inputs, inputsSalt, receipt } = archived
  const shown = readArchivedEvent(archived)
  const difference =
    findEntryDifference(shown, entry) ??
    describeMismatch('endpoint', endpointId, entry.endpointId) ??
    describeMismatch('session', sessionId || null, entry.sessionId ?? null)
  if (difference !== null) return `the archived record does not match its entry: ${difference}`
  const { erased, removed } = shown.eventData as Members
  // Its inputs were removed before the archive was written (erasure or retention): the record claims nothing about them.
  const hasInputs = inputs !== '' || inputsSalt !== '' || (erased !== true && removed !== true)
  if (hasInputs && !commitsTo(entry, inputs, inputsSalt))
    return 'the entry commits to other inputs than those archived'
  return typeof receipt === 'string' && receipt !== '' ? findReceiptFault({ receipt }, entry) : null
}

function describeMismatch(name: string, inRow: unknown, inEntry: string | null): string | null {
  return inRow === inEntry ? null : `its ${name} is different`
}

/** Returns an empty text for an invalid time. */
function formatTime(milliseconds: unknown): string {
  const time = new Date(typeof milliseconds === 'number' ? milliseconds : Number.NaN)
  return Number.isNaN(time.getTime()) ? '' : time.toISOString()
}

function commitsTo(entry: AuditEntryFields, inputs: unknown, salt: unknown): boolean {
  if (typeof inputs !== 'string' || typeof salt !== 'string' || !/^[0-9a-f]{32}$/.test(salt)) return false
  return hashInputs(salt, inputs) === entry.inputsHash
}
