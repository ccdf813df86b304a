import { normaliseIpAddress } from '@svc/core/url/ipAddress.ts'
import type { PartyEvent } from '../../store/feed/projectionStore.ts'
import { showEventData } from '../activity/eventView.ts'
import { outcomeOf } from '../activity/outcomeOf.ts'
import { purchaseIdOf } from '../activity/purchaseIdOf.ts'
import type { ReadRecord } from './readRecord.ts'

/** The members of an event that a search looks through. */
const SEARCHED = [
  ...['agentName', 'endpointName', 'counterpartyUrl', 'svceId', 'organizationName'],
  ...['purpose', 'action', 'resource', 'jurisdiction', 'reason', 'correlationId'],
] as const
/** Length of the text that is searched, in characters. */
const TEXT_MAX = 1_000

/**
 * Describes a record for each of its parties as the feed stores it, from what that party may see: a filter finds nothing
 * that the list would hide.
 */
export function describeForParties(record: ReadRecord): PartyEvent[] {
  const parties = new Set([record.ownerId, record.counterpartyOwnerId])
  return [...parties].flatMap((partyId) => (partyId === null ? [] : [describeFor(partyId, record)]))
}

function describeFor(partyId: string, record: ReadRecord): PartyEvent {
  const eventData = showEventData(record, record.data, new Set([partyId]))
  const { seq, eventType, recordedAt, agentId, endpointId } = record
  const { transactionValue, currency } = eventData
  return {
    ...{ partyId, seq, eventType, recordedAt, agentId, endpointId },
    purchaseId: purchaseIdOf(eventType, eventData),
    outcome: outcomeOf(eventType, eventData),
    sourceIp: sourceIpOf(eventData.caller),
    amount: typeof transactionValue === 'number' ? transactionValue : null,
    currency: typeof currency === 'string' ? currency : null,
    searchText: searchTextOf([agentId, endpointId, ...SEARCHED.map((name) => eventData[name])]),
  }
}

function sourceIpOf(caller: unknown): string | null {
  const { sourceIp } = (caller ?? {}) as { sourceIp?: unknown }
  return typeof sourceIp === 'string' ? (normaliseIpAddress(sourceIp) ?? null) : null
}

/** One line per value, in lower case; PostgreSQL stores no NUL. */
function searchTextOf(values: readonly unknown[]): string {
  const lines = values.filter((value) => typeof value === 'string')
  return lines
    .map((line) => line.replace(/\p{Cc}/gu, ' '))
    .join('\n')
    .slice(0, TEXT_MAX)
    .toLowerCase()
}
