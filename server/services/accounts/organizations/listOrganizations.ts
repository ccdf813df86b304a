import type { Organization } from '@svc/core/contract/accounts.ts'
import { isAdministeringRole } from '@svc/core/memberRole.ts'
import type {
  MemberOrganization,
  Membership,
  OrganizationStore,
} from '../../../store/accounts/organizationStore.ts'
import type { SessionPrincipal } from '../../principal.ts'
import { type ListPart, type ListRequest, listPage } from '../listPage.ts'

export type ListOrganizationsDeps = { organizations: OrganizationStore }

/** Lists the organisations that the caller belongs to or is invited to, newest first. */
export async function listOrganizations(
  deps: ListOrganizationsDeps,
  input: ListRequest & { principal: SessionPrincipal; now: number },
): Promise<ListPart<Organization>> {
  const { principal, now } = input
  const part = await listPage(
    input,
    (page) => deps.organizations.ofUser(principal.userId, { ...page, now }),
    ({ joinedAt, id }) => ({ at: joinedAt, id }),
  )
  return { ...part, items: part.items.map(toOrganizationView) }
}

export function toOrganizationView(organization: MemberOrganization): Organization {
  const { id, name, isSuspended, role, status, createdAt } = organization
  return { organizationId: id, name, isSuspended, role, status, createdAt: new Date(createdAt).toISOString() }
}

/**
 * Lists the organisations whose API keys a user may see and revoke although others created them: those in which the user is
 * an active owner or admin.
 */
export function listManagedOrganizations(memberships: readonly Membership[]): string[] {
  return memberships
    .filter(({ role, status }) => status === 'active' && isAdministeringRole(role))
    .map(({ organizationId }) => organizationId)
}
