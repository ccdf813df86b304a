import type { NewAuditRecord } from '../../store/audit/newAuditRecord.ts'
import { newAuditRecord } from '../audit/newAuditRecord.ts'
import type { ResolvedEndpoint } from './resolveEndpoint.ts'
import type { VerifiableAgent } from './verifiableAgent.ts'

/**
 * The event that says why a URL was not stored as discovered, for the caller and the owner of the agent that came; none
 * when nothing was blocked.
 *
 * Source: `Spec: Events` `counterparty.discovery_blocked`.
 */
export function discoveryBlockedRecords(
  settings: { randomBytes: (length: number) => Uint8Array },
  resolved: ResolvedEndpoint,
  now: number,
  agent: Pick<VerifiableAgent, 'svcId' | 'ownerId'> | null = null,
): NewAuditRecord[] {
  if (resolved.blockedReason === null) return []
  const { endpoint, blockedReason } = resolved
  return [
    newAuditRecord(
      {
        eventType: 'counterparty.discovery_blocked',
        ownerId: agent?.ownerId ?? null,
        counterpartyOwnerId: endpoint.ownerId,
        agentId: agent?.svcId ?? null,
        endpointId: null,
        eventData: {
          reason: blockedReason,
          counterpartyUrl: endpoint.url,
          endpointTier: endpoint.facts.tier,
        },
      },
      now,
      settings.randomBytes,
    ),
  ]
}
