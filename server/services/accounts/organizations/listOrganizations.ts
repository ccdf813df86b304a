import type { MemberRole } from '@svc/core/memberRole.ts'
import type {
  MemberOrganization,
  MemberStatus,
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
): Promise<ListPart<OrganizationView>> {
  const { principal, now } = input
  const part = await listPage(
    input,
    (page) => deps.organizations.ofUser(principal.userId, { ...page, now }),
    ({ joinedAt, id }) => ({ at: joinedAt, id }),
  )
  return { ...part, items: part.items.map(toOrganizationView) }
}

/** An organisation as a member sees it, with the member's own role and status. */
export type OrganizationView = {
  organizationId: string
  name: string
  role: MemberRole
  status: MemberStatus
  createdAt: string
}

export function toOrganizationView(organization: MemberOrganization): OrganizationView {
  const { id, name, role, status, createdAt } = organization
  return { organizationId: id, name, role, status, createdAt: new Date(createdAt).toISOString() }
}

/**
 * Lists the organisations whose API keys a user may see and revoke although others created them: those in which the user is
 * an active owner or admin.
 */
export function listManagedOrganizations(memberships: readonly Membership[]): string[] {
  return memberships
    .filter(({ role, status }) => status === 'active' && (role === 'owner' || role === 'admin'))
    .map(({ organizationId }) => organizationId)
}
