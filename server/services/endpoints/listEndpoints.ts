import type { EndpointStore, EndpointsWanted } from '../../store/endpointStore.ts'
import type { SessionPrincipal } from '../principal.ts'
import { type EndpointView, endpointView } from './endpointView.ts'

export type ListEndpointsInput = {
  principal: SessionPrincipal
  wanted: EndpointsWanted
  page: { limit: number; before: number | null }
}

/** The endpoints of everyone the signed-in user acts for, newest first. Source: `Spec: Endpoint dashboard actions`. */
export async function listEndpoints(
  deps: { endpoints: EndpointStore },
  input: ListEndpointsInput,
): Promise<{ items: EndpointView[]; nextBefore: number | null }> {
  const owners = [...input.principal.actsFor]
  const { items, nextBefore } = await deps.endpoints.listByOwners(owners, input.wanted, input.page)
  return { items: items.map(endpointView), nextBefore }
}
