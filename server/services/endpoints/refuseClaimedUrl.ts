import { switchScheme } from '@svc/core/url/url.ts'
import { apiError } from '../../errors.ts'
import type { EndpointRow, EndpointStore } from '../../store/endpoints/endpointStore.ts'

/**
 * Refuses a URL that is claimed, or whose twin over the other scheme belongs to another owner: whoever answers `https:` at a
 * host also answers `http:`.
 *
 * @param claimant The owner-to-be, and the owners that the caller acts for, who are told that the URL is their own.
 * @throws ApiError URL_ALREADY_CLAIMED.
 */
export async function refuseClaimedUrl(
  endpoints: Pick<EndpointStore, 'claimedByUrl'>,
  trx: Parameters<EndpointStore['insert']>[0],
  url: string,
  claimant: { ownerId: string; actsFor: ReadonlySet<string> },
): Promise<void> {
  const claimed = await endpoints.claimedByUrl(url, trx)
  if (claimed) throw refusal(claimed, claimant.actsFor)
  const twin = await endpoints.claimedByUrl(switchScheme(url), trx)
  if (twin && twin.ownerId !== claimant.ownerId) throw refusal(twin, claimant.actsFor)
}

function refusal({ ownerId, svceId, url }: EndpointRow, actsFor: ReadonlySet<string>) {
  if (!actsFor.has(ownerId)) return apiError('URL_ALREADY_CLAIMED')
  return apiError('URL_ALREADY_CLAIMED', { message: `Your own endpoint ${svceId} already has ${url}.` })
}
