import type { OrganizationStore } from '../../store/organizationStore.ts'
import type { SessionPrincipal } from '../principal.ts'
import { type ListPart, type ListRequest, listPage } from './listPage.ts'
import { type OrganizationView, organizationView } from './organizationView.ts'

export type ListOrganizationsDeps = { organizations: OrganizationStore }

/** The organisations the caller is in, whatever the status, newest membership first. */
export async function listOrganizations(
  deps: ListOrganizationsDeps,
  input: ListRequest & { principal: SessionPrincipal },
): Promise<ListPart<OrganizationView>> {
  const part = await listPage(input, (page) => deps.organizations.ofUser(input.principal.userId, page))
  return { ...part, items: part.items.map(organizationView) }
}
