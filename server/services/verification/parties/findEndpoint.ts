import type { VerificationRequest } from '@svc/core/access/verificationRequest.ts'
import { describeExpectedUrl, normaliseUrl } from '@svc/core/url/url.ts'
import { validationError } from '../../../errors.ts'
import type { ApiKeyPrincipal } from '../../principal.ts'
import type { VerifiableEndpoint } from './verifiableEndpoint.ts'

export type StoredEndpoints = {
  byPublicId(id: string): Promise<VerifiableEndpoint | null> | VerifiableEndpoint | null
  /** The claimed endpoint of a URL, whoever owns it; otherwise what the caller has discovered on the host. */
  byUrl(url: string, ownerId: string): Promise<VerifiableEndpoint | null> | VerifiableEndpoint | null
  /** The other owner who has claimed the host of a URL. */
  hostOwnerOf(at: Pick<DiscoverableUrl, 'url' | 'host' | 'ownerId'>): Promise<string | null>
}

/** A URL in normal form, and the owner for whom it is discovered if nobody has claimed it, with who answers for them. */
export type DiscoverableUrl = { url: string; host: string; ownerId: string; personId: string }

/** What is stored for the endpoint of a request, and its URL if the request names it by one. */
export type FoundEndpoint = { known: VerifiableEndpoint | null; discoverable: DiscoverableUrl | null }

/**
 * Finds the stored endpoint that a request names, whoever owns it; an identifier takes precedence over a URL.
 *
 * @throws ApiError VALIDATION_ERROR for a URL that cannot be normalised. Source: `Spec: Authentication` 4.
 */
export async function findEndpoint(
  endpoints: StoredEndpoints,
  { organizationId, developerId, personId }: ApiKeyPrincipal,
  { counterpartyId, counterpartyUrl }: Pick<VerificationRequest, 'counterpartyId' | 'counterpartyUrl'>,
): Promise<FoundEndpoint> {
  if (counterpartyId !== undefined) {
    return { known: await endpoints.byPublicId(counterpartyId), discoverable: null }
  }
  const normal = normaliseUrl(counterpartyUrl ?? '')
  if (!normal.ok) {
    const message = describeExpectedUrl(normal.reason)
    throw validationError([{ pointer: '/counterpartyUrl', code: 'invalid_url', message }])
  }
  const { url, host } = normal
  const ownerId = organizationId ?? developerId
  return { known: await endpoints.byUrl(url, ownerId), discoverable: { url, host, ownerId, personId } }
}
