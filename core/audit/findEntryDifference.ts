import type { AuditEntryFields } from './auditEntry.ts'

/** An event shown with its entry, as it was read; a missing member is not compared. */
export type ShownEvent = {
  readonly id?: unknown
  readonly auditRecordId?: unknown
  readonly eventType?: unknown
  readonly occurredAt?: unknown
  readonly agentId?: unknown
  readonly eventData?: Readonly<Record<string, unknown>>
}

/** What an event and its entry say about the same thing; null for nothing. */
type Comparison = { member: string; name: string; shown: unknown; recorded: unknown }

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
  const different = compareMembers(event, entry).find(({ shown, recorded }) => shown !== recorded)
  if (different === undefined) return null
  const { name, shown, recorded } = different
  return `its ${name} is ${describeValue(recorded)}, and ${describeValue(shown)} is shown`
}

/**
 * Lists the members of an event that `findEntryDifference` compares with the entry, such as `eventData.recommendation`. All
 * others are claims of whoever shows the event.
 */
export function listComparedMembers(event: ShownEvent, entry: AuditEntryFields): string[] {
  return compareMembers(event, entry).map(({ member }) => member)
}

function compareMembers(event: ShownEvent, entry: AuditEntryFields): Comparison[] {
  const { eventData = {} } = event
  const stated: [member: string, name: string, shown: unknown, recorded: unknown][] = [
    ['id', 'record', event.id, entry.recordId],
    ['auditRecordId', 'record', event.auditRecordId, entry.recordId],
    ['eventType', 'kind', event.eventType, entry.type],
    ['occurredAt', 'time', event.occurredAt, entry.time],
    ['agentId', 'agent', event.agentId, entry.agentId],
    ['eventData.recommendation', 'recommendation', eventData.recommendation, entry.decision],
    ['eventData.identityProof', 'proof of identity', eventData.identityProof, entry.identityProof],
    ['eventData.mandate.hash', 'payment mandate', hashOf(eventData.mandate), entry.mandateHash],
  ]
  // In events that decide nothing, such as a counterparty's report about a session, these members mean something else.
  if (entry.decision !== null) {
    const { dimensions } = eventData
    const names = dimensions === undefined ? undefined : formatList(dimensions)
    stated.push(
      ['eventData.decision', 'decision', eventData.decision, entry.decision],
      ['eventData.sessionId', 'session', eventData.sessionId, entry.sessionId],
      ['eventData.correlationId', 'correlation', eventData.correlationId, entry.correlationId],
      ['eventData.dimensions', 'failed dimensions', names, formatList(entry.dimensions)],
    )
  }
  return stated
    .filter(([, , shown]) => shown !== undefined)
    .map(([member, name, shown, recorded]) => ({ member, name, shown, recorded: recorded ?? null }))
}

/** Something that is no mandate cannot be compared, and differs from every hash. */
function hashOf(mandate: unknown): unknown {
  if (mandate === null || mandate === undefined) return mandate
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
