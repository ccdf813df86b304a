import { type EndpointTier, isUnregistered } from '@svc/core/access/facts.ts'
import type { ActivityEvent } from '@svc/core/contract/activity.ts'
import type { ActivityRecord } from '../../store/feed/activityStore.ts'
import { SAMPLE_OWNER_ID } from '../verification/parties/relateOwners.ts'
import { isRequestEvent } from './isRequestEvent.ts'

/** Members that no party sees: they name the people behind an owner. */
const INTERNAL_MEMBERS = new Set(['behaviourSource'])
/** Members of `eventData` that describe the agent or its owner beyond the identifier. */
const AGENT_MEMBERS = new Set([
  'agentName',
  'ownerId',
  'decidedBy',
  'countsAgainstAgent',
  'standingApprovalId',
])
/** Members that describe the endpoint beyond its id and type. */
const ENDPOINT_MEMBERS = new Set(['endpointName', 'endpointTier', 'counterpartyUrl', 'counterpartyOwnerId'])
/** Members that describe how a call arrived; for callers without identity, they are the only ones. */
const CALLER_MEMBERS = new Set(['caller'])
type EventData = Record<string, unknown>
/** The columns of a record that its views are made of. */
type ViewedRecord = Omit<ActivityRecord, 'seq' | 'sessionId'> & Partial<ActivityRecord>

/**
 * Shows an event to one party, without what belongs to the other.
 *
 * @param actsFor Owner identifiers of the viewer; at least one is a party of the event.
 */
export function toEventView(record: ViewedRecord, actsFor: ReadonlySet<string>): ActivityEvent {
  const data = JSON.parse(record.eventData) as EventData
  const roles = categorise(record, data, actsFor)
  return {
    id: record.recordId,
    auditRecordId: record.recordId,
    eventType: record.eventType,
    occurredAt: new Date(Number(record.recordedAt)).toISOString(),
    agentId: record.agentId,
    endpointId: typeof data.svceId === 'string' ? data.svceId : record.endpointId,
    callerCategory: roles.caller,
    endpointCategory: roles.ownsAgent ? roles.endpoint : null,
    eventData: pickShown(record, data, roles),
  }
}

/** The members of a record's parsed `eventData` that one party sees; `actsFor` as in `toEventView`. */
export function showEventData(
  record: ViewedRecord,
  data: EventData,
  actsFor: ReadonlySet<string>,
): EventData {
  return pickShown(record, data, categorise(record, data, actsFor))
}

function pickShown(
  record: ViewedRecord,
  data: EventData,
  { ownsAgent, caller, endpoint }: ReturnType<typeof categorise>,
): EventData {
  const hidesAgent = !ownsAgent && record.ownerId !== null
  const hidesCaller = caller !== 'ungoverned' && caller !== 'internally_governed'
  // The sample endpoint is that of the service itself, which has nothing to hide from an agent’s owner.
  const hidesEndpoint = endpoint === 'external' && record.counterpartyOwnerId !== SAMPLE_OWNER_ID
  const shown: EventData = {}
  for (const member of Object.keys(data)) {
    if (INTERNAL_MEMBERS.has(member)) continue
    if (hidesAgent && AGENT_MEMBERS.has(member)) continue
    if (hidesCaller && CALLER_MEMBERS.has(member)) continue
    if (hidesEndpoint && ENDPOINT_MEMBERS.has(member)) continue
    shown[member] = data[member]
  }
  return shown
}

function categorise(record: ViewedRecord, data: EventData, actsFor: ReadonlySet<string>) {
  const ownsAgent = record.ownerId !== null && actsFor.has(record.ownerId)
  const ownsEndpoint = record.counterpartyOwnerId !== null && actsFor.has(record.counterpartyOwnerId)
  return {
    ownsAgent,
    caller: ownsEndpoint ? categoriseCaller(record, ownsAgent || data.sharesOwner === true) : null,
    endpoint: categoriseEndpoint(record, data, ownsEndpoint),
  }
}

function categoriseCaller(record: ViewedRecord, ownsAgent: boolean): ActivityEvent['callerCategory'] {
  if (!isRequestEvent(record.eventType)) return null
  if (record.agentId === null || record.ownerId === null) return 'ungoverned'
  return ownsAgent ? 'internally_governed' : 'externally_governed'
}

function categoriseEndpoint(
  record: ViewedRecord,
  data: EventData,
  ownsEndpoint: boolean,
): ActivityEvent['endpointCategory'] {
  if (record.counterpartyOwnerId === null && record.endpointId === null) return null
  if (ownsEndpoint) return 'internal'
  return isUnregistered(data.endpointTier as EndpointTier | undefined) ? 'unregistered' : 'external'
}
