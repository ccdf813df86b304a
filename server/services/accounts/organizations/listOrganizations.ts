import type { OrganizationStore } from '../../../store/accounts/organizationStore.ts'
import type { SessionPrincipal } from '../../principal.ts'
import { type ListPart, type ListRequest, listPage } from '../listPage.ts'
import { type OrganizationView, organizationView } from './organizationView.ts'

export type ListOrganizationsDeps = { organizations: OrganizationStore }

/** The organisations the caller is in or invited into, the newest first. */
export async function listOrganizations(
  deps: ListOrganizationsDeps,
  input: ListRequest & { principal: SessionPrincipal; now: number },
): Promise<ListPart<OrganizationView>> {
  const { principal, now } = input
  const part = await listPage(
    input,
    (page) => deps.organizations.ofUser(principal.userId, { ...page, now }),
    ({ joinedAt, id }) => ({ at: joinedAt, id }),
  )
  return { ...part, items: part.items.map(organizationView) }
}
