import { generateUuidV7 } from '@svc/core/ids/uuids.ts'
import { hashPdlss } from '@svc/core/pdlss/hashPdlss.ts'
import { listContainingUrls } from '@svc/core/url/listContainingUrls.ts'
import type { Db } from '../../store/database/database.ts'
import type { EndpointRow, EndpointStore } from '../../store/endpoints/endpointStore.ts'
import { generateHex } from '../generateHex.ts'

export type DiscoverEndpointDeps = {
  db: Pick<Db, 'transaction'>
  endpoints: EndpointStore
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
 * Stores an unregistered URL that a verification named as an endpoint of the caller, with the policy `deny`, unless the URL
 * has become known in the meantime: several requests may name the host for the first time simultaneously.
 *
 * Source: `Spec: States`.
 */
export async function discoverEndpoint(
  deps: DiscoverEndpointDeps,
  input: DiscoverEndpointInput,
): Promise<void> {
  await deps.db.transaction(
    async (trx) => {
      const known = await deps.endpoints.byContainingUrls(listContainingUrls(input.url), input, trx)
      if (known === null) await deps.endpoints.insert(trx, buildDiscoveredEndpoint(input, deps.randomBytes))
    },
    [`account ${input.ownerId}`],
  )
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
    includeReceipt: false,
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
