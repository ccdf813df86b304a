import { listAuthorities } from '@svc/core/url/listAuthorities.ts'
import type { EndpointRow, EndpointStore } from '../../store/endpoints/endpointStore.ts'
import { findAuthorityOwner } from './findAuthorityOwner.ts'
import { isProven } from './findObstacles.ts'

/**
 * The authorities for which agents may sign at an endpoint: that of its URL, and the stated ones whose host no other owner
 * has proven. Otherwise whoever states the host of another could use what an agent signed for that one.
 *
 * A host that another owner has only claimed cannot be stated (`requireOwnAuthorities`). If it is claimed afterwards, the
 * statement holds until the claim is proven, or anyone could stop the traffic of a gateway by registering its host.
 */
export async function listOwnAuthorities(
  endpoints: Pick<EndpointStore, 'claimedByOthers'>,
  { url, ownerId, authorities }: Pick<EndpointRow, 'url' | 'ownerId' | 'authorities'>,
): Promise<string[]> {
  const own: string[] = []
  for (const authority of authorities) {
    const other = await findAuthorityOwner(endpoints, { authority, ownerId })
    if (other === null || !isProven(other)) own.push(authority)
  }
  return listAuthorities(url, own)
}
