import { apiError } from '../../errors.ts'
import type { EndpointRow, EndpointStore } from '../../store/endpoints/endpointStore.ts'
import { actsForOf } from '../actsForOf.ts'
import type { Principal } from '../principal.ts'
import { requireWriter } from '../requireWriter.ts'

/**
 * Finds an endpoint of the caller's account or organisations; to others it does not exist.
 *
 * @param input.id `SVCE-` identifier or UUID.
 * @throws ApiError NOT_FOUND; as `requireWriter` if `toWrite` is set.
 */
export async function findOwnEndpoint(
  endpoints: Pick<EndpointStore, 'byAnyId'>,
  input: { id: string; principal: Principal; toWrite?: boolean },
): Promise<EndpointRow> {
  const endpoint = await endpoints.byAnyId(input.id)
  if (!endpoint || !actsForOf(input.principal).has(endpoint.ownerId)) throw apiError('NOT_FOUND')
  if (input.toWrite) requireWriter(input.principal, endpoint.ownerId)
  return endpoint
}
