import type { AuditEntryFields } from './auditEntry.ts'

/** An event shown with its entry, as it was read; a missing member is not compared. */
export type ShownEvent = {
  readonly auditRecordId?: unknown
  readonly eventType?: unknown
  readonly occurredAt?: unknown
  readonly agentId?: unknown
  readonly eventData?: Readonly<Record<string, unknown>>
}

/**
 * Describes the first difference between an event and its entry in the log; null when they agree.
 *
 * The entry is anchored, but the event is a row of the database, so only what both state is proven. Members that are hidden
 * from a party or archived are missing from the event and not compared. Neither is the endpoint, because the log has its
 * internal identifier and the event its public one.
 *
 * Source: docs/auditing.md; `Spec: Activity views`.
 */
export function findEntryDifference(event: ShownEvent, entry: AuditEntryFields): string | null {
  const { eventData = {} } = event
  const { identityProof = null, mandateHash = null } = entry
  const said: [name: string, inEvent: unknown, inEntry: unknown][] = [
    ['record', event.auditRecordId ?? entry.recordId, entry.recordId],
    ['kind', event.eventType ?? entry.type, entry.type],
    ['time', event.occurredAt ?? entry.time, entry.time],
    ['agent', event.agentId === undefined ? entry.agentId : event.agentId, entry.agentId],
    ['recommendation', eventData.recommendation ?? entry.decision, entry.decision],
    ['decision', eventData.decision ?? entry.decision, entry.decision],
    ['session', eventData.sessionId ?? entry.sessionId, entry.sessionId],
    ['correlation', eventData.correlationId ?? entry.correlationId, entry.correlationId],
    ['proof of identity', eventData.identityProof ?? identityProof, identityProof],
    ['payment mandate', hashOf(eventData.mandate) ?? mandateHash, mandateHash],
  ]
  // In events without a decision, such as changed approval rules, `dimensions` has another meaning.
  if (entry.decision !== null) {
    said.push([
      'failed dimensions',
      formatList(eventData.dimensions ?? entry.dimensions),
      formatList(entry.dimensions),
    ])
  }
  const different = said.find(([, inEvent, inEntry]) => inEvent !== inEntry)
  if (different === undefined) return null
  const [name, inEvent, inEntry] = different
  return `its ${name} is ${describeValue(inEntry)}, and ${describeValue(inEvent)} is shown`
}

/** Something that is no mandate cannot be compared, and differs from every hash. */
function hashOf(mandate: unknown): unknown {
  if (mandate === null || mandate === undefined) return null
  return typeof mandate === 'object' && 'hash' in mandate ? mandate.hash : mandate
}

function formatList(names: unknown): string {
  const isList = Array.isArray(names) && names.every((name) => typeof name === 'string')
  return isList ? names.join(', ') : 'no list of names'
}

/** A forged event can have any value in place of a text, including one without a text form. */
function describeValue(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'none'
  return typeof value === 'object' ? 'no text' : String(value)
}
