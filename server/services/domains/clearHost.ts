import type { DomainChallenge } from '@svc/core/contract/endpoints.ts'
import { apiError } from '../../errors.ts'
import type { EndpointRow, EndpointStore } from '../../store/endpoints/endpointStore.ts'
import { ARCHIVED_MAX, archiveObstacles } from './archiveObstacles.ts'
import { buildHostChallenge } from './contestHost.ts'
import type { FoundDomainProof } from './findDomainProof.ts'
import { findObstacles, isProven } from './findObstacles.ts'
import type { HostClaim, HostDeps } from './hostDeps.ts'

/**
 * Makes room for a registration in its transaction: refuses a URL that is taken, and archives the endpoints of owners who
 * have not proven the host if the claimant has.
 *
 * @returns The archived endpoints.
 * @throws ApiError URL_ALREADY_CLAIMED, with the challenge if the claimant can still prove the host.
 */
export async function clearHost(
  deps: HostDeps,
  trx: Parameters<EndpointStore['insert']>[0],
  claim: HostClaim,
  found: FoundDomainProof | null,
): Promise<EndpointRow[]> {
  const { endpoints } = deps.stores
  const known = await endpoints.claimedByUrl(claim.url, trx)
  if (known?.ownerId === claim.ownerId) throw refuse(known, claim)
  const obstacles = await findObstacles(endpoints, claim, ARCHIVED_MAX + 1, trx)
  const [first] = obstacles
  if (first === undefined) return []
  if (isProven(first)) throw refuse(first, claim)
  const method = found?.method ?? null
  if (method === null || obstacles.length > ARCHIVED_MAX) {
    throw refuse(first, claim, buildHostChallenge(deps, claim))
  }
  await archiveObstacles(deps, trx, { obstacles, method, now: claim.now })
  return obstacles
}

function refuse({ ownerId, svceId, url }: EndpointRow, claim: HostClaim, challenge?: DomainChallenge) {
  const isOwn = claim.actsFor.has(ownerId)
  const message = isOwn ? `Your own endpoint ${svceId} already has ${url}.` : challenge && CONTESTABLE
  return apiError('URL_ALREADY_CLAIMED', {
    ...(message ? { message } : {}),
    ...(challenge ? { extension: { challenge } } : {}),
  })
}

const CONTESTABLE =
  'Another account has registered this host, but has not proven that it controls it. If the host is yours, publish one of the two parts of `challenge` and send the same request again.'
