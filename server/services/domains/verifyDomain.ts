import { encodeBase62 } from '@svc/core/ids/identifiers.ts'
import { apiError } from '../../errors.ts'
import { type EndpointView, toEndpointView } from '../endpoints/endpointView.ts'
import { findOwnEndpoint } from '../endpoints/findOwnEndpoint.ts'
import type { Principal } from '../principal.ts'
import { buildDomainChallenge, type DomainChallenge } from './buildDomainChallenge.ts'
import type { DomainDeps } from './domainDeps.ts'
import type { DomainFailure, FoundDomainProof } from './findDomainProof.ts'
import { settleDomain } from './settleDomain.ts'

export type VerifyDomainInput = { id: string; principal: Principal; now: number }

export type VerifiedDomain = {
  verified: boolean
  method: FoundDomainProof['method']
  /** What to publish; the same at every call. */
  challenge: DomainChallenge
  /** Why it was not found, for each way. */
  failures: DomainFailure[]
  endpoint: EndpointView
}

/**
 * Checks whether the owner of an endpoint holds its domain; the first call tells what to publish.
 *
 * A check that fails says so and costs a proven endpoint nothing at once: the daily check decides that.
 *
 * @throws ApiError NOT_FOUND, FORBIDDEN, INVALID_STATE for an endpoint that is not claimed and active.
 * Source: api.md "Endpoints" (`verify-domain`).
 */
export async function verifyDomain(
  deps: DomainDeps,
  { id, principal, now }: VerifyDomainInput,
): Promise<VerifiedDomain> {
  const { endpoints, proofs } = deps.stores
  const endpoint = await findOwnEndpoint(endpoints, { id, principal, toWrite: true })
  if (endpoint.tier === 'discovered' || endpoint.status !== 'active') throw apiError('INVALID_STATE')
  const proof = await proofs.ofEndpoint(endpoint.id, encodeBase62(deps.randomBytes(16)))
  const challenge = buildDomainChallenge(endpoint, proof.token)
  const found = await deps.find(challenge)
  const settled = found.method === null ? endpoint : await settleDomain(deps, { endpoint, proof, found, now })
  return { verified: found.method !== null, ...found, challenge, endpoint: toEndpointView(settled) }
}
