import type { ActivityEvent } from '@svc/core/contract/activity.ts'
import type { ActivityRecord } from '../../store/feed/activityStore.ts'
import { SAMPLE_OWNER_ID } from '../verification/relateOwners.ts'

/** Members that no party sees: they name the people behind an owner. */
const INTERNAL_MEMBERS = ['behaviourSource']
/** Members of `eventData` that describe the agent or its owner beyond the identifier. */
const AGENT_MEMBERS = ['agentName', 'ownerId', 'decidedBy', 'countsAgainstAgent', 'standingApprovalId']
/** Members that describe the endpoint beyond its id and type. */
const ENDPOINT_MEMBERS = ['endpointName', 'endpointTier', 'counterpartyUrl', 'counterpartyOwnerId']
/** Members that describe how a call arrived; for callers without identity, they are the only ones. */
const CALLER_MEMBERS = ['caller']
/** The columns of a record that its views are made of. */
type ViewedRecord = Omit<ActivityRecord, 'seq' | 'sessionId'> & Partial<ActivityRecord>

/** Events about calls of an endpoint. */
const CALLS = /^(verification|counterparty|approval)\./

/**
 * Shows an event to one party, without what belongs to the other.
 *
 * @param actsFor Owner identifiers of the viewer; at least one is a party of the event.
 */
export function toEventView(record: ViewedRecord, actsFor: ReadonlySet<string>): ActivityEvent {
  const ownsAgent = record.ownerId !== null && actsFor.has(record.ownerId)
  const ownsEndpoint = record.counterpartyOwnerId !== null && actsFor.has(record.counterpartyOwnerId)
  const data = JSON.parse(record.eventData) as Record<string, unknown>
  const caller = ownsEndpoint ? categoriseCaller(record, ownsAgent || data.sharesOwner === true) : null
  const endpoint = categoriseEndpoint(record, data, ownsEndpoint)
  // That of the service itself, which has nothing to hide from an agent’s owner.
  const isSample = record.counterpartyOwnerId === SAMPLE_OWNER_ID
  const hidden = new Set<string>([
    ...INTERNAL_MEMBERS,
    ...(ownsAgent || record.ownerId === null ? [] : AGENT_MEMBERS),
    ...(caller === 'ungoverned' || caller === 'internally_governed' ? [] : CALLER_MEMBERS),
    ...(endpoint === 'external' && !isSample ? ENDPOINT_MEMBERS : []),
  ])
  return {
    id: record.recordId,
    auditRecordId: record.recordId,
    eventType: record.eventType,
    occurredAt: new Date(Number(record.recordedAt)).toISOString(),
    agentId: record.agentId,
    endpointId: typeof data.svceId === 'string' ? data.svceId : record.endpointId,
    callerCategory: caller,
    endpointCategory: ownsAgent ? endpoint : null,
    eventData: Object.fromEntries(Object.entries(data).filter(([member]) => !hidden.has(member))),
  }
}

function categoriseCaller(record: ViewedRecord, ownsAgent: boolean): ActivityEvent['callerCategory'] {
  if (!CALLS.test(record.eventType)) return null
  if (record.agentId === null || record.ownerId === null) return 'ungoverned'
  return ownsAgent ? 'internally_governed' : 'externally_governed'
}

function categoriseEndpoint(
  record: ViewedRecord,
  data: Record<string, unknown>,
  ownsEndpoint: boolean,
): ActivityEvent['endpointCategory'] {
  if (record.counterpartyOwnerId === null && record.endpointId === null) return null
  if (ownsEndpoint) return 'internal'
  return data.endpointTier === 'discovered' || data.endpointTier === 'unknown' ? 'unregistered' : 'external'
}
