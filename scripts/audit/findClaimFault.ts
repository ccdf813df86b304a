import type { AuditEntryFields } from '@svc/core/audit/auditEntry.ts'
import { findEntryDifference } from '@svc/core/audit/findEntryDifference.ts'
import { hashInputs } from '@svc/core/audit/hashInputs.ts'
import { isJsonObject } from '@svc/core/json.ts'
import { parseJsonObject } from '../parseJsonObject.ts'

type Members = Record<string, unknown>

/** What stands beside a proof, as it was read: of an export the event, of an archive all that the log held. */
export type Claims = { recordId?: unknown; seq?: unknown; event?: unknown; archived?: unknown }

/**
 * What is said beside a proof otherwise than in the entry that is proven; null when they agree, as far as both say it.
 *
 * Names, amounts and addresses are in no entry: an archive holds them among its inputs, which the entry commits to, and
 * of an export they are the word of whoever made it.
 *
 * Source: onchain.md "The audit log"; docs/decisions/0042.
 */
export function findClaimFault(
  { recordId, seq, event, archived }: Claims,
  entry: AuditEntryFields,
): string | null {
  if (typeof recordId === 'string' && recordId !== entry.recordId) {
    return `it proves record ${entry.recordId}, not ${recordId}`
  }
  if (typeof seq === 'number' && seq !== entry.seq) return `it proves record number ${entry.seq}, not ${seq}`
  const difference = isJsonObject(event) ? findEntryDifference(shownOf(event), entry) : null
  if (difference !== null) return `the event beside the entry is not the one it is of: ${difference}`
  return isJsonObject(archived) ? archivedFault(archived, entry) : null
}

function shownOf({ eventData, ...event }: Members) {
  return { ...event, eventData: isJsonObject(eventData) ? eventData : {} }
}

/** The row of a record, with the payload of its event and its inputs as the texts that they are. */
function archivedFault(archived: Members, entry: AuditEntryFields): string | null {
  const { eventType, agentId, recordedAt, endpointId, sessionId, eventData, inputs, inputsSalt } = archived
  const shown = {
    ...{ eventType, agentId, occurredAt: timeOf(recordedAt) },
    eventData: (typeof eventData === 'string' ? parseJsonObject(eventData) : null) ?? {},
  }
  const difference =
    findEntryDifference(shown, entry) ??
    notSame('endpoint', endpointId, entry.endpointId) ??
    notSame('session', sessionId || null, entry.sessionId ?? null)
  if (difference !== null) return `what is archived is not of the entry: ${difference}`
  return commitsTo(entry, inputs, inputsSalt) ? null : 'the entry commits to other inputs than those archived'
}

function notSame(name: string, inRow: unknown, inEntry: string | null): string | null {
  return inRow === inEntry ? null : `its ${name} is another`
}

/** Empty for what is no time. */
function timeOf(milliseconds: unknown): string {
  const time = new Date(typeof milliseconds === 'number' ? milliseconds : Number.NaN)
  return Number.isNaN(time.getTime()) ? '' : time.toISOString()
}

function commitsTo(entry: AuditEntryFields, inputs: unknown, salt: unknown): boolean {
  if (typeof inputs !== 'string' || typeof salt !== 'string' || !/^[0-9a-f]{32}$/.test(salt)) return false
  return hashInputs(salt, inputs) === entry.inputsHash
}
