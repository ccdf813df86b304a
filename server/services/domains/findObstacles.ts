import { classifyHostname } from '@svc/core/url/classifyHostname.ts'
import { switchScheme } from '@svc/core/url/url.ts'
import type { EndpointRow, EndpointStore } from '../../store/endpoints/endpointStore.ts'
import type { HostClaim } from './hostDeps.ts'

/**
 * Finds the endpoints of other owners because of which a URL cannot be registered, those with a verified domain first.
 *
 * They are all claimed endpoints on the host: whoever answers at one path, port or scheme of a host also answers at the
 * others. Private hosts, where tests run, belong to nobody; on them, only the URL over either scheme counts.
 */
export function findObstacles(
  endpoints: Pick<EndpointStore, 'claimedByOthers'>,
  { url, host, ownerId }: Pick<HostClaim, 'url' | 'host' | 'ownerId'>,
  limit: number,
  reader?: Parameters<EndpointStore['claimedByOthers']>[2],
): Promise<EndpointRow[]> {
  const urls = classifyHostname(host).public ? {} : { urls: [url, switchScheme(url)] }
  return endpoints.claimedByOthers({ host, ownerId, ...urls }, limit, reader)
}

/**
 * Whether an owner has proven the host of an endpoint, and the proof is checked every day; that of a deactivated endpoint is
 * not.
 */
export function isProven({ tier, status }: EndpointRow): boolean {
  return tier === 'domain_verified' && status === 'active'
}
