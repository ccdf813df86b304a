import { classifyHostname } from '@svc/core/url/classifyHostname.ts'
import { switchScheme } from '@svc/core/url/url.ts'
import { apiError } from '../../errors.ts'
import type { EndpointRow, EndpointStore } from '../../store/endpoints/endpointStore.ts'

/**
 * Refuses a URL that is claimed, or one on a host where another owner has claimed an endpoint: whoever answers at one path
 * or scheme of a host also answers at the others. Private hosts, where tests run, belong to nobody.
 *
 * @param claimant The future owner, and the owners that the caller acts for: the error says which URL is already theirs.
 * @throws ApiError URL_ALREADY_CLAIMED.
 */
export async function refuseClaimedUrl(
  endpoints: Pick<EndpointStore, 'claimedByUrl' | 'claimedOnHost'>,
  trx: Parameters<EndpointStore['insert']>[0],
  { url, host }: Pick<EndpointRow, 'host'> & { url: string },
  claimant: { ownerId: string; actsFor: ReadonlySet<string> },
): Promise<void> {
  const claimed = await endpoints.claimedByUrl(url, trx)
  if (claimed) throw refusal(claimed, claimant.actsFor)
  const twin = await endpoints.claimedByUrl(switchScheme(url), trx)
  if (twin && twin.ownerId !== claimant.ownerId) throw refusal(twin, claimant.actsFor)
  const neighbour = classifyHostname(host).public
    ? await endpoints.claimedOnHost(host, claimant.ownerId, trx)
    : null
  if (neighbour) throw refusal(neighbour, claimant.actsFor)
}

function refusal({ ownerId, svceId, url }: EndpointRow, actsFor: ReadonlySet<string>) {
  if (!actsFor.has(ownerId)) return apiError('URL_ALREADY_CLAIMED')
  return apiError('URL_ALREADY_CLAIMED', { message: `Your own endpoint ${svceId} already has ${url}.` })
}
