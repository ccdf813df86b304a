import type { Member as MemberView } from '@svc/core/contract/accounts.ts'
import { listManagedRoles, type MemberRole } from '@svc/core/memberRole.ts'
import { apiError } from '../../../errors.ts'
import type { Invitation, InvitationStore } from '../../../store/accounts/invitationStore.ts'
import type { Member, OrganizationStore } from '../../../store/accounts/organizationStore.ts'
import type { Db } from '../../../store/database/database.ts'
import type { SessionPrincipal } from '../../principal.ts'
import { refuseSuspendedOrganization } from '../../requireWriter.ts'
import type { AccountCaches } from '../accountCaches.ts'
import { ownInvitation } from './acceptInvitation.ts'
import { checkMembershipLimit, type JoinOrganizationDeps, joinOrganization } from './joinOrganization.ts'
import { toMemberView } from './listMembers.ts'
import { keepAnOwner, requireManager } from './requireManager.ts'

export type ChangeMemberDeps = JoinOrganizationDeps & {
  organizations: Pick<OrganizationStore, 'members' | 'membershipsOf' | 'updateMembership'>
  invitations: Pick<InvitationStore, 'ofOrganization' | 'updateRole' | 'deleteMadeBy'>
  transaction: Db['transaction']
  caches: Pick<AccountCaches, 'onMemberChanged'>
}

type MemberChange = { role?: MemberRole | undefined; status?: 'active' | 'suspended' | undefined }

export type ChangeMemberInput = {
  principal: SessionPrincipal
  organizationId: string
  /** Id of the user or of the invitation. */
  userId: string
  change: MemberChange
  now: number
}

type Trx = Parameters<InvitationStore['delete']>[0]

/**
 * Changes a member's role, suspends or reinstates a member, or changes the role of an invitation. A user with an invited,
 * verified address accepts by setting its own status to `active`.
 *
 * Before the response, a suspended member's sessions and keys stop acting for the organisation, and invitations that the
 * member may no longer issue end: the invitee could be the member's own second account.
 *
 * @throws ApiError NOT_FOUND, FORBIDDEN, ORGANIZATION_SUSPENDED, INVALID_STATE.
 */
export async function changeMember(deps: ChangeMemberDeps, input: ChangeMemberInput): Promise<MemberView> {
  const { principal, organizationId, userId, change, now } = input
  refuseSuspendedOrganization(principal, organizationId)
  const changed = await deps.transaction(
    async (trx) => {
      const members = await deps.organizations.members(trx, organizationId)
      const invitations = await deps.invitations.ofOrganization(trx, organizationId, now)
      const member = members.find((one) => one.userId === userId)
      if (member) return changeOne(deps, trx, { members, member, input })
      const isAcceptance = change.status === 'active' && change.role === undefined
      if (isAcceptance && userId === principal.userId) {
        const own = await ownInvitation(deps, trx, userId, invitations)
        if (own) return joinOrganization(deps, trx, { ...own, now })
      }
      const invitation = invitations.find(({ id }) => id === userId)
      requireManager(members, principal.userId, change.role ? [change.role] : [])
      if (!invitation) throw apiError('NOT_FOUND')
      requireManager(members, principal.userId, [invitation.role])
      return offer(deps, trx, invitation, { ...change, by: principal.userId })
    },
    [`organization ${organizationId}`, `account ${userId}`],
  )
  deps.caches.onMemberChanged(userId, organizationId)
  return toMemberView(changed)
}

async function changeOne(
  deps: ChangeMemberDeps,
  trx: Trx,
  { members, member, input }: { members: Member[]; member: Member; input: ChangeMemberInput },
): Promise<Member> {
  const { principal, change } = input
  requireManager(members, principal.userId, change.role ? [change.role, member.role] : [member.role])
  const next = { ...member, role: change.role ?? member.role, status: change.status ?? member.status }
  keepAnOwner(members.map((one) => (one === member ? next : one)))
  if (next.status === 'active' && member.status !== 'active') {
    checkMembershipLimit(await deps.organizations.membershipsOf(member.userId, trx))
  }
  await deps.organizations.updateMembership(trx, next)
  const mayGive = next.status === 'active' ? listManagedRoles(next.role) : []
  await deps.invitations.deleteMadeBy(trx, next, mayGive)
  return next
}

async function offer(
  deps: ChangeMemberDeps,
  trx: Trx,
  invitation: Invitation,
  { role, status, by }: MemberChange & { by: string },
): Promise<Invitation> {
  if (status !== undefined || role === undefined) {
    throw apiError('INVALID_STATE', { message: 'The invitation has not been accepted by the user.' })
  }
  const offered = { ...invitation, role, invitedBy: by }
  await deps.invitations.updateRole(trx, offered)
  return offered
}
