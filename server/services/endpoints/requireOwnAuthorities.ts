import { apiError } from '../../errors.ts'
import type { EndpointStore } from '../../store/endpoints/endpointStore.ts'
import { findAuthorityOwner } from '../domains/findAuthorityOwner.ts'

/**
 * Requires that no other owner has claimed the hosts that an owner states for an endpoint: what agents sign for a host
 * proves them at the endpoint that states it.
 *
 * @throws ApiError URL_ALREADY_CLAIMED.
 */
export async function requireOwnAuthorities(
  endpoints: Pick<EndpointStore, 'claimedByOthers'>,
  { authorities, ownerId }: { authorities: readonly string[]; ownerId: string },
  reader: Parameters<EndpointStore['claimedByOthers']>[2],
): Promise<void> {
  for (const authority of authorities) {
    if ((await findAuthorityOwner(endpoints, { authority, ownerId }, reader)) === null) continue
    const message = `Another account has registered the host of ${authority}, so agents cannot sign for it at this endpoint.`
    throw apiError('URL_ALREADY_CLAIMED', { message })
  }
}
