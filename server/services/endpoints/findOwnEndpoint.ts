import { apiError } from '../../errors.ts'
import type { EndpointRow, EndpointStore } from '../../store/endpoints/endpointStore.ts'
import { actsForOf } from '../actsForOf.ts'
import { mayWriteFor } from '../mayWriteFor.ts'
import type { Principal } from '../principal.ts'

/**
 * Finds an endpoint of the caller's account or organisations; to others it does not exist.
 *
 * @param input.id `SVCE-` identifier or UUID.
 * @throws ApiError NOT_FOUND; FORBIDDEN without write access if `toWrite` is set.
 */
export async function findOwnEndpoint(
  endpoints: Pick<EndpointStore, 'byAnyId'>,
  input: { id: string; principal: Principal; toWrite?: boolean },
): Promise<EndpointRow> {
  const endpoint = await endpoints.byAnyId(input.id)
  if (!endpoint || !actsForOf(input.principal).has(endpoint.ownerId)) throw apiError('NOT_FOUND')
  if (input.toWrite && !mayWriteFor(input.principal, endpoint.ownerId)) throw apiError('FORBIDDEN')
  return endpoint
}
