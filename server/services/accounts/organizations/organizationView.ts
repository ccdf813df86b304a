import type { MemberRole } from '@svc/core/memberRole.ts'
import type { MemberOrganization, MemberStatus } from '../../../store/accounts/organizationStore.ts'

/** An organisation as a member sees it, with the member's own role and status. */
export type OrganizationView = {
  organizationId: string
  name: string
  role: MemberRole
  status: MemberStatus
  createdAt: string
}

/** Shows an organisation to one of its members. */
export function organizationView(organization: MemberOrganization): OrganizationView {
  const { id, name, role, status, createdAt } = organization
  return { organizationId: id, name, role, status, createdAt: new Date(createdAt).toISOString() }
}
