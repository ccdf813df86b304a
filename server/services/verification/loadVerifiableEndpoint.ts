import { compilePolicy } from '@svc/core/pdlss/compilePolicy.ts'
import type { EndpointRow } from '../../store/endpointStore.ts'
import type { VerifiableEndpoint } from './verifiableEndpoint.ts'

/** Compiles a stored endpoint for the hot path. */
export function loadVerifiableEndpoint(row: EndpointRow): VerifiableEndpoint {
  return {
    id: row.id,
    svceId: row.svceId,
    ownerId: row.ownerId,
    name: row.name,
    counterpartyType: row.counterpartyType,
    url: row.url,
    pdlssHash: row.pdlssHash,
    facts: {
      status: row.status,
      tier: row.tier,
      trustScoreRequirement: row.trustScoreRequirement,
      unverifiedAgentPolicy: row.unverifiedAgentPolicy,
      policy: compilePolicy(row.pdlss, 'endpoint'),
      allowlist: undefined,
      host: row.host,
    },
  }
}
