import type { NewAuditRecord } from '../../store/auditRecordStore.ts'
import { newAuditRecord } from '../audit/newAuditRecord.ts'
import type { ResolvedEndpoint } from './resolveEndpoint.ts'

/**
 * The event that says why a URL was not stored as discovered; none when nothing was blocked.
 *
 * Source: `Spec: Events` `counterparty.discovery_blocked`.
 */
export function discoveryBlockedRecords(
  settings: { randomBytes: (length: number) => Uint8Array },
  resolved: ResolvedEndpoint,
  now: number,
): NewAuditRecord[] {
  if (resolved.blockedReason === null) return []
  const { endpoint, blockedReason } = resolved
  return [
    newAuditRecord(
      {
        eventType: 'counterparty.discovery_blocked',
        ownerId: null,
        counterpartyOwnerId: endpoint.ownerId,
        agentId: null,
        endpointId: null,
        eventData: { reason: blockedReason, counterpartyUrl: endpoint.url },
      },
      now,
      settings.randomBytes,
    ),
  ]
}
