import { generateUuidV7 } from '@svc/core/ids/uuids.ts'
import { hashPdlss } from '@svc/core/pdlss/hashPdlss.ts'
import type { Db } from '../../store/database/database.ts'
import type { EndpointRow, EndpointStore } from '../../store/endpoints/endpointStore.ts'
import { generateHex } from '../generateHex.ts'
import type { KeepContext } from './createKeepContext.ts'
import { buildEndpointContext } from './decisionContext.ts'
import type { VerifiableEndpoint } from './verifiableEndpoint.ts'
import { loadVerifiableEndpoint } from './verifiableEndpoint.ts'

export type DiscoverEndpointDeps = {
  db: Pick<Db, 'transaction'>
  endpoints: EndpointStore
  keepContext: KeepContext
  randomBytes: (length: number) => Uint8Array
}

export type DiscoverEndpointInput = {
  ownerId: string
  url: string
  host: string
  counterpartyType: string | null
  now: number
}

/**
 * Stores an unregistered URL that a verification named as an endpoint of the caller, with the policy `deny`.
 *
 * Two requests may name the URL for the first time simultaneously: the unique index admits one, and the other reads its
 * row.
 *
 * Source: `Spec: States`.
 */
export async function discoverEndpoint(
  deps: DiscoverEndpointDeps,
  input: DiscoverEndpointInput,
): Promise<VerifiableEndpoint> {
  const row = await deps.db.transaction(async (trx) => {
    const known = await deps.endpoints.discoveredByUrl(input.ownerId, input.url, trx)
    if (known) return known
    const discovered = buildDiscoveredEndpoint(input, deps.randomBytes)
    await deps.endpoints.insert(trx, discovered)
    return discovered
  })
  const context = buildEndpointContext({ pdlss: row.pdlss, allowlist: [] })
  await deps.keepContext(context)
  return loadVerifiableEndpoint(row, { allowlist: [], contextHash: context.hash, isClosed: false })
}

function buildDiscoveredEndpoint(
  input: DiscoverEndpointInput,
  randomBytes: (length: number) => Uint8Array,
): EndpointRow {
  const pdlssSalt = generateHex(randomBytes, 16)
  return {
    id: generateUuidV7(input.now, randomBytes(10)),
    svceId: null,
    ownerId: input.ownerId,
    tier: 'discovered',
    status: 'active',
    counterpartyType: input.counterpartyType ?? 'api',
    name: input.host,
    url: input.url,
    host: input.host,
    trustScoreRequirement: 0,
    unverifiedAgentPolicy: 'deny',
    requiredFacts: [],
    minIdentityProof: 'none',
    authorities: [],
    pdlss: {},
    pdlssSalt,
    pdlssHash: hashPdlss(pdlssSalt, {}),
    routes: [],
    webhookSecret: null,
    webhookSecretLastFour: null,
    webhookUrl: null,
    createdAt: input.now,
    updatedAt: input.now,
  }
}
