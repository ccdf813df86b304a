import type { NewAuditRecord } from '../../store/audit/newAuditRecord.ts'
import type { EndpointRow } from '../../store/endpoints/endpointStore.ts'
import { createAuditRecord } from '../audit/createAuditRecord.ts'

type EndpointEventType =
  | 'endpoint.registered'
  | 'endpoint.updated'
  | 'endpoint.domain_verified'
  | 'endpoint.domain_lapsed'
  | 'endpoint.deactivated'
  | 'endpoint.archived'
  | 'endpoint.released'
  | 'endpoint.allowlist_added'
  | 'endpoint.allowlist_removed'
  | 'endpoint.webhook_set'
  | 'endpoint.webhook_removed'
  | 'endpoint.webhook_disabled'
  | 'endpoint.secret_rotated'

/**
 * Builds the record of a change to an endpoint for its owner's feed and the log.
 *
 * @param details Members of the event beyond the endpoint.
 */
export function buildEndpointRecord(
  eventType: EndpointEventType,
  endpoint: EndpointRow,
  details: object,
  context: { now: number; randomBytes: (length: number) => Uint8Array },
): NewAuditRecord {
  const { svceId, name, tier, counterpartyType, url, trustScoreRequirement, unverifiedAgentPolicy } = endpoint
  return createAuditRecord(
    {
      eventType,
      ownerId: null,
      counterpartyOwnerId: endpoint.ownerId,
      agentId: null,
      endpointId: endpoint.id,
      policyHashes: { agent: null, endpoint: endpoint.pdlssHash },
      eventData: {
        svceId,
        endpointName: name,
        endpointTier: tier,
        counterpartyType,
        counterpartyUrl: url,
        ...details,
      },
      inputs: {
        ...{ name, counterpartyType, url, trustScoreRequirement, unverifiedAgentPolicy },
        requiredFacts: endpoint.requiredFacts,
        minIdentityProof: endpoint.minIdentityProof,
        authorities: endpoint.authorities,
        includeReceipt: endpoint.includeReceipt,
        pdlss: endpoint.pdlss,
        routes: endpoint.routes,
      },
    },
    context.now,
    context.randomBytes,
  )
}
