import type { Invitation, InvitationStore } from '../../../store/accounts/invitationStore.ts'
import type { Member, OrganizationStore } from '../../../store/accounts/organizationStore.ts'
import type { User, UserStore } from '../../../store/accounts/userStore.ts'
import { checkMembershipLimit } from './checkMembershipLimit.ts'

export type JoinOrganizationDeps = {
  users: Pick<UserStore, 'byId'>
  organizations: Pick<OrganizationStore, 'membershipsOf' | 'insertMembership'>
  invitations: Pick<InvitationStore, 'delete'>
}

/** Makes an invited user a member, with the role that was offered; the invitation is used up. @throws ApiError INVALID_STATE. */
export async function joinOrganization(
  deps: JoinOrganizationDeps,
  trx: Parameters<InvitationStore['delete']>[0],
  { user, invitation, now }: { user: User; invitation: Invitation; now: number },
): Promise<Member> {
  const { id: userId, email, fullName } = user
  checkMembershipLimit(await deps.organizations.membershipsOf(userId, trx))
  const { organizationId, role } = invitation
  const membership = { organizationId, userId, role, status: 'active' as const, createdAt: now }
  await deps.organizations.insertMembership(trx, membership)
  await deps.invitations.delete(trx, invitation.id)
  return { ...membership, email, fullName }
}
