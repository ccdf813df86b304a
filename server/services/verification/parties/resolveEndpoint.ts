import type { VerificationRequest } from '@svc/core/access/verificationRequest.ts'
import { compilePolicy } from '@svc/core/pdlss/compilePolicy.ts'
import { classifyHostname } from '@svc/core/url/classifyHostname.ts'
import { listAuthorities } from '@svc/core/url/listAuthorities.ts'
import { apiError } from '../../../errors.ts'
import type { ApiKeyPrincipal } from '../../principal.ts'
import { type DiscoverableUrl, findEndpoint, type StoredEndpoints } from './findEndpoint.ts'
import type { VerifiableEndpoint } from './verifiableEndpoint.ts'

export type ResolveEndpointDeps = {
  endpoints: StoredEndpoints
  /** Stores a URL as discovered; false if another owner of the same person has discovered its host. */
  discover(input: DiscoverableUrl & { counterpartyType: string | null; now: number }): Promise<boolean>
}

/** The endpoint of a request; `blockedReason` says why its URL was not stored. */
export type ResolvedEndpoint = { endpoint: VerifiableEndpoint; blockedReason: string | null }

/**
 * Finds the endpoint that a request names, or discovers it.
 *
 * Another account's endpoint and one that does not exist are refused alike, so that identifiers cannot be probed. So is
 * every URL on a host that another account has claimed: what an agent signs for the host would otherwise prove it here, too.
 *
 * An unregistered URL becomes `discovered` if its host is public and fully qualified; otherwise it is not stored, and the
 * default policy decides. Where the same person has discovered the host for another organisation, it is decided as
 * discovered and not stored either.
 *
 * @throws ApiError COUNTERPARTY_KEY_MISMATCH, VALIDATION_ERROR. Source: `Spec: Authentication` 4.
 */
export async function resolveEndpoint(
  deps: ResolveEndpointDeps,
  principal: ApiKeyPrincipal,
  request: VerificationRequest,
  now: number,
): Promise<ResolvedEndpoint> {
  const { known, discoverable } = await findEndpoint(deps.endpoints, principal, request)
  const isForeign = (ownerId: string | null) => ownerId !== null && !principal.actsFor.has(ownerId)
  if (known && (isForeign(known.ownerId) || isForeign(known.hostOwnerId)))
    throw apiError('COUNTERPARTY_KEY_MISMATCH')
  if (known) return { endpoint: known, blockedReason: null }
  if (discoverable === null) throw apiError('COUNTERPARTY_KEY_MISMATCH')
  const counterpartyType = request.counterpartyType ?? null
  const verdict = classifyHostname(discoverable.host)
  if (!verdict.public) {
    return {
      endpoint: buildUnstoredEndpoint('unknown', discoverable, counterpartyType),
      blockedReason: verdict.reason,
    }
  }
  if (isForeign(await deps.endpoints.hostOwnerOf(discoverable))) throw apiError('COUNTERPARTY_KEY_MISMATCH')
  // A dry run is decided as if the URL had been discovered, but stores nothing.
  if (request.dryRun) {
    const endpoint = buildUnstoredEndpoint('discovered', discoverable, counterpartyType)
    return { endpoint, blockedReason: null }
  }
  const isStored = await deps.discover({ ...discoverable, counterpartyType, now })
  // Read again, because the URL may have been claimed in the meantime.
  const { url, ownerId } = discoverable
  const endpoint = await deps.endpoints.byUrl(url, ownerId)
  if (!endpoint && !isStored) {
    return {
      endpoint: buildUnstoredEndpoint('discovered', discoverable, counterpartyType),
      blockedReason: null,
    }
  }
  if (!endpoint) throw new Error(`${url} was discovered and is gone`)
  if (isForeign(endpoint.ownerId) || isForeign(endpoint.hostOwnerId))
    throw apiError('COUNTERPARTY_KEY_MISMATCH')
  return { endpoint, blockedReason: null }
}

const NO_RULES = compilePolicy({}, 'endpoint')

function buildUnstoredEndpoint(
  tier: 'unknown' | 'discovered',
  { ownerId, url, host }: DiscoverableUrl,
  counterpartyType: string | null,
): VerifiableEndpoint {
  return {
    id: null,
    svceId: null,
    ownerId,
    name: null,
    counterpartyType,
    url,
    pdlssHash: null,
    contextHash: null,
    hostOwnerId: null,
    authorities: listAuthorities(url),
    includeReceipt: false,
    facts: {
      status: 'active',
      tier,
      trustScoreRequirement: 0,
      unverifiedAgentPolicy: 'deny',
      allowlist: undefined,
      policy: NO_RULES,
      host,
    },
  }
}
