import type { AllowlistStore } from '../../store/endpoints/allowlistStore.ts'
import type { EndpointStore } from '../../store/endpoints/endpointStore.ts'
import type { Principal } from '../principal.ts'
import { type AllowlistEntryView, allowlistEntryView } from './allowlistEntryView.ts'
import { findOwnEndpoint } from './findOwnEndpoint.ts'

export type ListAllowlistInput = {
  id: string
  principal: Principal
  page: { limit: number; before: number | null }
}

/** The allowlist of an own endpoint, newest first. @throws ApiError NOT_FOUND. Source: api.md "Endpoints". */
export async function listAllowlist(
  deps: { endpoints: EndpointStore; allowlists: AllowlistStore },
  { id, principal, page }: ListAllowlistInput,
): Promise<{ items: AllowlistEntryView[]; nextBefore: number | null }> {
  const endpoint = await findOwnEndpoint(deps.endpoints, { id, principal })
  const { items, nextBefore } = await deps.allowlists.list(endpoint.id, page)
  return { items: items.map(allowlistEntryView), nextBefore }
}
