import type { ResultOf } from '@svc/core/contract/operations.ts'
import { encodeBase62 } from '@svc/core/ids/identifiers.ts'
import { apiError } from '../../errors.ts'
import { toEndpointView } from '../endpoints/endpointView.ts'
import { findOwnEndpoint } from '../endpoints/findOwnEndpoint.ts'
import type { Principal } from '../principal.ts'
import type { WaitForHost } from '../waitForHost.ts'
import { buildDomainChallenge } from './buildDomainChallenge.ts'
import type { DomainDeps } from './domainDeps.ts'
import { settleDomain } from './settleDomain.ts'

export type VerifyDomainInput = {
  id: string
  principal: Principal
  now: number
  waitForHost: WaitForHost
}

export type VerifiedDomain = ResultOf<'POST /api/endpoints/:id/verify-domain'>

/**
 * Checks whether the owner of an endpoint controls its domain; the first call returns what to publish.
 *
 * A failed check does not affect a verified endpoint immediately: the daily check decides.
 *
 * @throws ApiError NOT_FOUND, FORBIDDEN, INVALID_STATE for an endpoint that is not claimed and active; as `WaitForHost`.
 */
export async function verifyDomain(
  deps: DomainDeps,
  { id, principal, now, waitForHost }: VerifyDomainInput,
): Promise<VerifiedDomain> {
  const { endpoints, proofs } = deps.stores
  const endpoint = await findOwnEndpoint(endpoints, { id, principal, toWrite: true })
  if (endpoint.tier === 'discovered' || endpoint.status !== 'active') throw apiError('INVALID_STATE')
  const proof = await proofs.ofEndpoint(endpoint.id, encodeBase62(deps.randomBytes(16)))
  const challenge = buildDomainChallenge(endpoint, proof.token)
  const found = await waitForHost(() => deps.find(challenge))
  const settled = found.method === null ? endpoint : await settleDomain(deps, { endpoint, proof, found, now })
  return { verified: found.method !== null, ...found, challenge, endpoint: toEndpointView(settled) }
}
