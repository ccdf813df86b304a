import { isWritingRole, type MemberRole } from '@svc/core/memberRole.ts'
import type { OrganizationStore } from '../../store/accounts/organizationStore.ts'
import type { UserStore } from '../../store/accounts/userStore.ts'
import type { InterventionStore } from '../../store/operator/interventionStore.ts'
import { listManagedOrganizations } from './organizations/listOrganizations.ts'

/** The permissions of an account, shared by all its credentials. */
export type AccountFacts = {
  userId: string
  developerId: string
  role: string
  /** Whether an operator has suspended the account; nobody may then act as it. */
  isSuspended: boolean
  /** The account's own `SVCD-` and the `SVCO-` of each organisation it is an active member of. */
  actsFor: ReadonlySet<string>
  /** The subset with write access, which excludes suspended organisations and those in which the account is a viewer. */
  writesFor: ReadonlySet<string>
  /** The subset of organisations that an operator has suspended. */
  suspendedOrganizations: ReadonlySet<string>
  /** The organisations in which the account is an owner or admin. */
  administers: ReadonlySet<string>
  /** Roles in the organisations of which it is an active member. */
  activeRoles: ReadonlyMap<string, MemberRole>
  /** Internal ids of the users who created those organisations. */
  creators: ReadonlyMap<string, string>
}

export type LoadAccountFactsDeps = {
  users: Pick<UserStore, 'byId'>
  organizations: Pick<OrganizationStore, 'membershipsOf'>
  interventions: Pick<InterventionStore, 'among'>
}

/** Loads the current permissions of a user. Source: `Spec: Authentication` 4. */
export async function loadAccountFacts(
  deps: LoadAccountFactsDeps,
  userId: string,
): Promise<AccountFacts | null> {
  const user = await deps.users.byId(userId)
  if (!user) return null
  const memberships = await deps.organizations.membershipsOf(userId)
  const active = memberships.filter(({ status }) => status === 'active')
  const actsFor = [user.developerId, ...active.map(({ organizationId }) => organizationId)]
  const suspended = await deps.interventions.among(actsFor)
  const writable = active.filter(
    ({ organizationId, role }) => isWritingRole(role) && !suspended.has(organizationId),
  )
  return {
    userId,
    developerId: user.developerId,
    role: user.role,
    isSuspended: suspended.has(user.developerId),
    actsFor: new Set(actsFor),
    writesFor: new Set([user.developerId, ...writable.map(({ organizationId }) => organizationId)]),
    suspendedOrganizations: new Set(suspended.keys()),
    administers: new Set(listManagedOrganizations(memberships)),
    activeRoles: new Map(active.map(({ organizationId, role }) => [organizationId, role])),
    creators: new Map(active.map(({ organizationId, createdBy }) => [organizationId, createdBy])),
  }
}
