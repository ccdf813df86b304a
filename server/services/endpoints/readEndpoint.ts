import { apiError } from '../../errors.ts'
import type { EndpointStore } from '../../store/endpoints/endpointStore.ts'
import { actsForOf } from '../actsForOf.ts'
import type { Principal } from '../principal.ts'
import { type EndpointView, endpointView } from './endpointView.ts'

/**
 * One endpoint, for those who act for its owner; to others it does not exist.
 *
 * @param input.id `SVCE-` identifier or UUID.
 * @throws ApiError NOT_FOUND. Source: api.md "Endpoints".
 */
export async function readEndpoint(
  deps: { endpoints: EndpointStore },
  input: { id: string; principal: Principal },
): Promise<EndpointView> {
  const endpoint = await deps.endpoints.byAnyId(input.id)
  if (!endpoint || !actsForOf(input.principal).has(endpoint.ownerId)) throw apiError('NOT_FOUND')
  return endpointView(endpoint)
}
