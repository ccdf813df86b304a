import type { EndpointStore, EndpointsWanted } from '../../store/endpoints/endpointStore.ts'
import { listOwners } from '../listOwners.ts'
import type { SessionPrincipal } from '../principal.ts'
import { searchNamed } from '../searchNamed.ts'
import { type EndpointView, toEndpointView } from './endpointView.ts'

export type ListEndpointsInput = {
  principal: SessionPrincipal
  /** Only those of this organisation. */
  organizationId?: string | undefined
  wanted: EndpointsWanted
  /** Part of a name, an address or an identifier. */
  search?: string | undefined
  page: { limit: number; before: number | null }
}

/**
 * Lists the endpoints of all accounts that the signed-in user acts for, newest first, optionally filtered by a search term.
 *
 * Source: `Spec: Endpoint dashboard actions`.
 */
export async function listEndpoints(
  deps: { endpoints: EndpointStore },
  input: ListEndpointsInput,
): Promise<{ items: EndpointView[]; nextBefore: number | null }> {
  const { items, nextBefore } = await endpointsOf(deps, input)
  return { items: items.map(toEndpointView), nextBefore }
}

async function endpointsOf({ endpoints }: { endpoints: EndpointStore }, input: ListEndpointsInput) {
  const { principal, organizationId, wanted, search, page } = input
  const owners = listOwners(principal, organizationId)
  if (search === undefined) return endpoints.listByOwners(owners, wanted, page)
  const { found, nextBefore } = await searchNamed(
    { search, page },
    (part) => endpoints.namesByOwners(owners, wanted, part),
    ({ name, url, svceId, id }) => [name, url, svceId, id],
  )
  const ids = found.map(({ id }) => id)
  return { items: (await endpoints.listByOwners(owners, wanted, page, ids)).items, nextBefore }
}
