import type { AuditRecord } from '../../store/audit/auditRecordStore.ts'
import type { NewAuditRecord } from '../../store/audit/newAuditRecord.ts'
import { createAuditRecord } from '../audit/createAuditRecord.ts'

type SessionEvent = {
  eventType: string
  subject: Readonly<Record<string, string>>
  eventData: object
  /** Epoch milliseconds. */
  at: number
}

/**
 * Builds the record of an event in a session, for both of its parties.
 *
 * The event names the session in its data only: the session's own record is the one that opened it.
 *
 * @param opened The record that opened the session.
 */
export function buildSessionRecord(
  randomBytes: (length: number) => Uint8Array,
  opened: AuditRecord,
  { eventType, subject, eventData, at }: SessionEvent,
): NewAuditRecord {
  const { approvalId, agentName, svceId, endpointName, endpointTier, counterpartyType, counterpartyUrl } =
    JSON.parse(opened.eventData) as Record<string, string | undefined>
  return createAuditRecord(
    {
      eventType,
      ownerId: opened.ownerId,
      counterpartyOwnerId: opened.counterpartyOwnerId,
      agentId: opened.agentId,
      endpointId: opened.endpointId,
      subject,
      eventData: {
        ...eventData,
        ...{ approvalId, agentName, svceId, endpointName, endpointTier, counterpartyType, counterpartyUrl },
      },
    },
    at,
    randomBytes,
  )
}
