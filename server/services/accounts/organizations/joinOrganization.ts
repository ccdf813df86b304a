import { apiError } from '../../../errors.ts'
import type { Invitation, InvitationStore } from '../../../store/accounts/invitationStore.ts'
import type { Member, Membership, OrganizationStore } from '../../../store/accounts/organizationStore.ts'
import type { User, UserStore } from '../../../store/accounts/userStore.ts'
import type { InterventionStore } from '../../../store/operator/interventionStore.ts'

export type JoinOrganizationDeps = {
  users: Pick<UserStore, 'byId'>
  organizations: Pick<OrganizationStore, 'membershipsOf' | 'insertMembership'>
  invitations: Pick<InvitationStore, 'delete'>
  interventions: Pick<InterventionStore, 'find'>
}

/**
 * Makes an invited user a member with the offered role, and consumes the invitation.
 *
 * @throws ApiError ORGANIZATION_SUSPENDED; INVALID_STATE for an invitation by an account that is suspended, whose second
 * account the invitee may be, or for too many organisations.
 */
export async function joinOrganization(
  deps: JoinOrganizationDeps,
  trx: Parameters<InvitationStore['delete']>[0],
  { user, invitation, now }: { user: User; invitation: Invitation; now: number },
): Promise<Member> {
  const { id: userId, email, fullName } = user
  checkMembershipLimit(await deps.organizations.membershipsOf(userId, trx))
  await refuseSuspendedMaker(deps, trx, invitation)
  const { organizationId, role } = invitation
  const membership = { organizationId, userId, role, status: 'active' as const, createdAt: now }
  await deps.organizations.insertMembership(trx, membership)
  await deps.invitations.delete(trx, invitation.id)
  return { ...membership, email, fullName }
}

async function refuseSuspendedMaker(
  { users, interventions }: JoinOrganizationDeps,
  trx: Parameters<InvitationStore['delete']>[0],
  { organizationId, invitedBy }: Invitation,
): Promise<void> {
  if (await interventions.find(organizationId, trx)) throw apiError('ORGANIZATION_SUSPENDED')
  const maker = invitedBy === null ? null : await users.byId(invitedBy, trx)
  if (maker === null || !(await interventions.find(maker.developerId, trx))) return
  throw apiError('INVALID_STATE', { message: 'The invitation cannot be accepted at the moment.' })
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
