import { type AllowlistEntry, compileAllowlist } from '@svc/core/access/allowlist.ts'
import type { EndpointFacts } from '@svc/core/access/facts.ts'
import { compilePolicy } from '@svc/core/pdlss/compilePolicy.ts'
import type { EndpointRow } from '../../../store/endpoints/endpointStore.ts'

/** An endpoint as the hot path uses it, with compiled policy and allowlist. */
export type VerifiableEndpoint = {
  /** Internal id, which discovery and claim keep; null for an endpoint that is not stored. */
  id: string | null
  /** Null before it is claimed. */
  svceId: string | null
  ownerId: string
  name: string | null
  counterpartyType: string | null
  url: string | null
  pdlssHash: `0x${string}` | null
  /** Identifies the stored boundary and allowlist; null for an endpoint that is not stored. */
  contextHash: string | null
  /** The other owner who has claimed the host of a URL that its own owner has only discovered; null if there is none. */
  hostOwnerId: string | null
  /** The hosts, with ports unless they are the default, under which agents reach it, and for which they may sign. */
  authorities: readonly string[]
  /** Whether its owner wants a receipt with every answer about a registered agent. */
  includeReceipt: boolean
  facts: EndpointFacts
}

type EndpointState = {
  allowlist: readonly AllowlistEntry[]
  contextHash: string
  /** Whether its owner is suspended: it then admits nobody, as if it were deactivated. */
  isClosed: boolean
} & Pick<VerifiableEndpoint, 'hostOwnerId' | 'authorities'>

/** Compiles a stored endpoint and its allowlist for the hot path. */
export function loadVerifiableEndpoint(
  row: EndpointRow,
  { allowlist, contextHash, isClosed, hostOwnerId, authorities }: EndpointState,
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
    hostOwnerId,
    authorities,
    includeReceipt: row.includeReceipt,
    facts: {
      status: isClosed && row.status === 'active' ? 'deactivated' : row.status,
      tier: row.tier,
      trustScoreRequirement: row.trustScoreRequirement,
      unverifiedAgentPolicy: row.unverifiedAgentPolicy,
      policy: compilePolicy(row.pdlss, 'endpoint'),
      allowlist: compileAllowlist(allowlist),
      requiredFacts: row.requiredFacts,
      minIdentityProof: row.minIdentityProof,
      host: row.host,
    },
  }
}
