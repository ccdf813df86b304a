import type { AuditEntryFields } from '@svc/core/audit/auditEntry.ts'
import { listComparedMembers } from '@svc/core/audit/findEntryDifference.ts'
import { proofDocument } from '@svc/core/audit/proofDocument.ts'
import { isJsonObject } from '@svc/core/json.ts'
import { parseJsonObject } from '@svc/core/parseJsonObject.ts'
import { type Claims, readArchivedEvent, readEvent } from './findClaimFault.ts'

/** Objects whose members are listed one by one. */
const OPENED = new Set(
  ['event', 'archived'].flatMap((name) => [name, `${name}.eventData`, `${name}.eventData.mandate`]),
)
/** In the row of an archived record, this is a JSON text. */
const TEXT = 'archived.eventData'

/** Members that a proof document has itself, and what every response has. */
const CHECKED_ITSELF = new Set([...Object.keys(proofDocument.shape), 'success'])

/** An author of documents chooses these names. */
const NAME_CHARACTERS_MAX = 60

/**
 * Lists the members next to a proof that neither the proof nor its entry confirms, such as `event.eventData.purpose`. They
 * are claims of the document's author.
 *
 * A member that has no value claims nothing. One of the wrong type was not compared, so it is listed.
 */
export function listUnprovenMembers(claims: Claims, entry: AuditEntryFields): string[] {
  const confirmed = listConfirmedMembers(claims, entry)
  return listMembers(claims, '')
    .filter((name) => !confirmed.has(name))
    .map(shortenName)
}

function listConfirmedMembers(claims: Claims, entry: AuditEntryFields): Set<string> {
  const { recordId, seq, event, archived, receipt } = claims
  const confirmed = new Set(CHECKED_ITSELF)
  if (typeof recordId === 'string') confirmed.add('recordId')
  if (typeof seq === 'number') confirmed.add('seq')
  if (typeof receipt === 'string') confirmed.add('receipt').add('issuerKey')
  if (isJsonObject(event)) {
    for (const name of listComparedMembers(readEvent(event), entry)) confirmed.add(`event.${name}`)
  }
  if (isJsonObject(archived)) {
    for (const name of ['recordedAt', 'endpointId', 'sessionId', 'inputs', 'inputsSalt'])
      confirmed.add(`archived.${name}`)
    if (typeof archived.receipt === 'string') confirmed.add('archived.receipt')
    for (const name of listComparedMembers(readArchivedEvent(archived), entry))
      confirmed.add(`archived.${name}`)
  }
  return confirmed
}

function listMembers(value: object, prefix: string): string[] {
  return Object.entries(value).flatMap(([member, inner]) => {
    // A name with a dot must not pass for a member of a member.
    const name = `${prefix}${member.includes('.') ? JSON.stringify(member) : member}`
    if (inner === undefined || inner === null) return []
    const members = name === TEXT && typeof inner === 'string' ? parseJsonObject(inner) : inner
    return OPENED.has(name) && isJsonObject(members) ? listMembers(members, `${name}.`) : [name]
  })
}

function shortenName(name: string): string {
  return name.length > NAME_CHARACTERS_MAX ? `${name.slice(0, NAME_CHARACTERS_MAX)}…` : name
}
