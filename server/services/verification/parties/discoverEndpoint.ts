import { generateUuidV7 } from '@svc/core/ids/uuids.ts'
import { hashPdlss } from '@svc/core/pdlss/hashPdlss.ts'
import { listContainingUrls } from '@svc/core/url/listContainingUrls.ts'
import type { Db } from '../../../store/database/database.ts'
import type { EndpointRow, EndpointStore } from '../../../store/endpoints/endpointStore.ts'
import { generateHex } from '../../generateHex.ts'

export type DiscoverEndpointDeps = {
  db: Pick<Db, 'transaction'>
  endpoints: EndpointStore
  randomBytes: (length: number) => Uint8Array
}

export type DiscoverEndpointInput = {
  ownerId: string
  /** The user who answers for the owner. */
  personId: string
  url: string
  host: string
  counterpartyType: string | null
  now: number
}

/**
 * Stores an unregistered URL that a verification named as an endpoint of the caller, with the policy `deny`, unless the URL
 * has become known in the meantime: several requests may name the host for the first time simultaneously.
 *
 * A person has one such row of a host, whichever of their organisations names it first, or free organisations would make as
 * many rows as there are of them.
 *
 * @returns Whether the owner has an endpoint for the URL now. Source: `Spec: States`.
 */
export async function discoverEndpoint(
  deps: DiscoverEndpointDeps,
  input: DiscoverEndpointInput,
): Promise<boolean> {
  const { endpoints } = deps
  const { personId, host } = input
  if (await endpoints.hasDiscovered(personId, host)) return false
  return deps.db.transaction(
    async (trx) => {
      if (await endpoints.byContainingUrls(listContainingUrls(input.url), input, trx)) return true
      if (await endpoints.hasDiscovered(personId, host, trx)) return false
      await endpoints.insert(trx, buildDiscoveredEndpoint(input, deps.randomBytes))
      return true
    },
    [`account ${personId}`],
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
