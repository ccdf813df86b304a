import type { VerificationRequest } from '@svc/core/access/verificationRequest.ts'
import { compilePolicy } from '@svc/core/pdlss/compilePolicy.ts'
import { classifyHostname } from '@svc/core/url/classifyHostname.ts'
import { listAuthorities } from '@svc/core/url/listAuthorities.ts'
import { describeExpectedUrl, normaliseUrl } from '@svc/core/url/url.ts'
import { apiError, validationError } from '../../errors.ts'
import type { ApiKeyPrincipal } from '../principal.ts'
import type { VerifiableEndpoint } from './verifiableEndpoint.ts'

export type ResolveEndpointDeps = {
  endpoints: {
    byPublicId(id: string): Promise<VerifiableEndpoint | null> | VerifiableEndpoint | null
    /** The claimed endpoint of a URL, whoever owns it; otherwise the caller's own discovered one. */
    byUrl(url: string, ownerId: string): Promise<VerifiableEndpoint | null> | VerifiableEndpoint | null
  }
  discover(input: {
    ownerId: string
    url: string
    host: string
    counterpartyType: string | null
    now: number
  }): Promise<VerifiableEndpoint>
}

/** The endpoint of a request; `blockedReason` says why its URL was not stored. */
export type ResolvedEndpoint = { endpoint: VerifiableEndpoint; blockedReason: string | null }

/**
 * Finds the endpoint that a request names, or discovers it.
 *
 * Another account's endpoint and one that does not exist are refused alike, so that identifiers cannot be probed. An
 * unregistered URL becomes `discovered` if its host is public and fully qualified; otherwise it is not stored, and the
 * default policy decides.
 *
 * @throws ApiError COUNTERPARTY_KEY_MISMATCH, VALIDATION_ERROR. Source: `Spec: Authentication` 4.
 */
export async function resolveEndpoint(
  deps: ResolveEndpointDeps,
  principal: ApiKeyPrincipal,
  request: VerificationRequest,
  now: number,
): Promise<ResolvedEndpoint> {
  if (request.counterpartyId !== undefined) {
    const named = await deps.endpoints.byPublicId(request.counterpartyId)
    if (!named || !principal.actsFor.has(named.ownerId)) throw apiError('COUNTERPARTY_KEY_MISMATCH')
    return { endpoint: named, blockedReason: null }
  }
  return resolveByUrl(deps, principal, request, now)
}

async function resolveByUrl(
  deps: ResolveEndpointDeps,
  principal: ApiKeyPrincipal,
  request: VerificationRequest,
  now: number,
): Promise<ResolvedEndpoint> {
  const normal = normaliseUrl(request.counterpartyUrl ?? '')
  if (!normal.ok) {
    throw validationError([
      {
        pointer: '/counterpartyUrl',
        code: 'invalid_url',
        message: describeExpectedUrl(normal.reason),
      },
    ])
  }
  const ownerId = principal.organizationId ?? principal.developerId
  const known = await deps.endpoints.byUrl(normal.url, ownerId)
  if (known) {
    if (!principal.actsFor.has(known.ownerId)) throw apiError('COUNTERPARTY_KEY_MISMATCH')
    return { endpoint: known, blockedReason: null }
  }
  const verdict = classifyHostname(normal.host)
  if (!verdict.public) {
    return {
      endpoint: buildUnstoredEndpoint('unknown', ownerId, normal, request),
      blockedReason: verdict.reason,
    }
  }
  // A dry run is decided as if the URL had been discovered, but stores nothing.
  if (request.dryRun) {
    return { endpoint: buildUnstoredEndpoint('discovered', ownerId, normal, request), blockedReason: null }
  }
  const counterpartyType = request.counterpartyType ?? null
  const endpoint = await deps.discover({ ownerId, url: normal.url, host: normal.host, counterpartyType, now })
  return { endpoint, blockedReason: null }
}

const NO_RULES = compilePolicy({}, 'endpoint')

function buildUnstoredEndpoint(
  tier: 'unknown' | 'discovered',
  ownerId: string,
  normal: { url: string; host: string },
  request: VerificationRequest,
): VerifiableEndpoint {
  return {
    id: null,
    svceId: null,
    ownerId,
    name: null,
    counterpartyType: request.counterpartyType ?? null,
    url: normal.url,
    pdlssHash: null,
    contextHash: null,
    authorities: listAuthorities(normal.url),
    facts: {
      status: 'active',
      tier,
      trustScoreRequirement: 0,
      unverifiedAgentPolicy: 'deny',
      allowlist: undefined,
      policy: NO_RULES,
      host: normal.host,
    },
  }
}
