import type { AuditEntryFields } from './auditEntry.ts'

/** An event that is shown beside its entry, as it was read; a member that is left out says nothing. */
export type ShownEvent = {
  readonly auditRecordId?: unknown
  readonly eventType?: unknown
  readonly occurredAt?: unknown
  readonly agentId?: unknown
  readonly eventData?: Readonly<Record<string, unknown>>
}

/**
 * What an event says otherwise than its entry in the log, in words; null when they agree.
 *
 * The entry is in the log and anchored, the event is a row of the database, so that only what both say is proven of
 * it. What is hidden from a party, or was archived, is not in the event and not compared. Neither is the endpoint: the
 * log has its internal identifier, the event the public one.
 *
 * Source: onchain.md "The audit log"; `Spec: Activity views`.
 */
export function findEntryDifference(event: ShownEvent, entry: AuditEntryFields): string | null {
  const { eventData = {} } = event
  const said: [name: string, inEvent: unknown, inEntry: unknown][] = [
    ['record', event.auditRecordId ?? entry.recordId, entry.recordId],
    ['kind', event.eventType ?? entry.type, entry.type],
    ['time', event.occurredAt ?? entry.time, entry.time],
    ['agent', event.agentId === undefined ? entry.agentId : event.agentId, entry.agentId],
    ['recommendation', eventData.recommendation ?? entry.decision, entry.decision],
    ['decision', eventData.decision ?? entry.decision, entry.decision],
    ['session', eventData.sessionId ?? entry.sessionId, entry.sessionId],
    ['correlation', eventData.correlationId ?? entry.correlationId, entry.correlationId],
  ]
  // Events that decide nothing, such as changed approval rules, use the word for something of their own.
  if (entry.decision !== null) {
    said.push([
      'failed dimensions',
      listed(eventData.dimensions ?? entry.dimensions),
      listed(entry.dimensions),
    ])
  }
  const different = said.find(([, inEvent, inEntry]) => inEvent !== inEntry)
  if (different === undefined) return null
  const [name, inEvent, inEntry] = different
  return `its ${name} is ${inWords(inEntry)}, and ${inWords(inEvent)} is shown`
}

function listed(names: unknown): string {
  const isList = Array.isArray(names) && names.every((name) => typeof name === 'string')
  return isList ? names.join(', ') : 'no list of names'
}

/** Whoever writes the event can put anything in place of a text, also what has no text form. */
function inWords(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'none'
  return typeof value === 'object' ? 'no text' : String(value)
}
