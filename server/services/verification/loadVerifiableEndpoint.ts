import { type AllowlistEntry, compileAllowlist } from '@svc/core/access/allowlist.ts'
import { compilePolicy } from '@svc/core/pdlss/compilePolicy.ts'
import type { EndpointRow } from '../../store/endpoints/endpointStore.ts'
import type { VerifiableEndpoint } from './verifiableEndpoint.ts'

/** Compiles a stored endpoint and its allowlist for the hot path. */
export function loadVerifiableEndpoint(
  row: EndpointRow,
  allowlist: readonly AllowlistEntry[],
  contextHash: string,
): VerifiableEndpoint {
  return {
    id: row.id,
    svceId: row.svceId,
    ownerId: row.ownerId,
    name: row.name,
    counterpartyType: row.counterpartyType,
    url: row.url,
    pdlssHash: row.pdlssHash,
    contextHash,
    facts: {
      status: row.status,
      tier: row.tier,
      trustScoreRequirement: row.trustScoreRequirement,
      unverifiedAgentPolicy: row.unverifiedAgentPolicy,
      policy: compilePolicy(row.pdlss, 'endpoint'),
      allowlist: compileAllowlist(allowlist),
      host: row.host,
    },
  }
}
