import type { EndpointStore } from '../../store/endpoints/endpointStore.ts'
import type { Principal } from '../principal.ts'
import { type EndpointView, toEndpointView } from './endpointView.ts'
import { findOwnEndpoint } from './findOwnEndpoint.ts'

/**
 * Returns an endpoint to callers that act for its owner; to others it does not exist.
 *
 * @param input.id `SVCE-` identifier or UUID.
 * @throws ApiError NOT_FOUND.
 */
export async function readEndpoint(
  deps: { endpoints: Pick<EndpointStore, 'byAnyId'> },
  input: { id: string; principal: Principal },
): Promise<EndpointView> {
  return toEndpointView(await findOwnEndpoint(deps.endpoints, input))
}
