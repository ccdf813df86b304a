import { apiError } from '../../../errors.ts'
import type { Invitation, InvitationStore } from '../../../store/accounts/invitationStore.ts'
import type { Member, Membership, OrganizationStore } from '../../../store/accounts/organizationStore.ts'
import type { User, UserStore } from '../../../store/accounts/userStore.ts'

export type JoinOrganizationDeps = {
  users: Pick<UserStore, 'byId'>
  organizations: Pick<OrganizationStore, 'membershipsOf' | 'insertMembership'>
  invitations: Pick<InvitationStore, 'delete'>
}

/** Makes an invited user a member with the offered role, and consumes the invitation. @throws ApiError INVALID_STATE. */
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

const ACTIVE_MAX = 100

/**
 * Limits the organisations that an account acts for, because each of its credentials carries them all.
 *
 * @throws ApiError INVALID_STATE at the limit.
 */
export function checkMembershipLimit(memberships: readonly Membership[]): void {
  const active = memberships.filter(({ status }) => status === 'active').length
  if (active < ACTIVE_MAX) return
  throw apiError('INVALID_STATE', {
    message: `An account can be an active member of at most ${ACTIVE_MAX} organisations.`,
  })
}
