import { apiError } from '../../errors.ts'
import type { Db } from '../../store/database.ts'
import type { MemberRole, Membership, OrganizationStore } from '../../store/organizationStore.ts'
import type { SessionPrincipal } from '../principal.ts'
import type { AccountCaches } from './accountCaches.ts'
import { checkMembershipLimit } from './checkMembershipLimit.ts'
import { keepAnOwner } from './keepAnOwner.ts'
import { type MemberView, memberView } from './memberView.ts'
import { requireManager } from './requireManager.ts'

export type ChangeMemberDeps = {
  organizations: OrganizationStore
  transaction: Db['transaction']
  caches: Pick<AccountCaches, 'accounts'>
}

type MemberChange = { role?: MemberRole | undefined; status?: 'active' | 'suspended' | undefined }

export type ChangeMemberInput = {
  principal: SessionPrincipal
  organizationId: string
  userId: string
  change: MemberChange
}

/**
 * Changes a member's role, suspends or reinstates it; and an invited user accepts by setting its own status `active`.
 *
 * A suspended member's sessions and keys stop acting for the organisation before this answers.
 *
 * @throws ApiError NOT_FOUND, FORBIDDEN, INVALID_STATE.
 */
export async function changeMember(deps: ChangeMemberDeps, input: ChangeMemberInput): Promise<MemberView> {
  const { principal, organizationId, userId, change } = input
  const changed = await deps.transaction(async (trx) => {
    const members = await deps.organizations.members(trx, organizationId)
    const member = members.find((one) => one.userId === userId)
    if (member && isAcceptance(member, input)) {
      checkMembershipLimit(await deps.organizations.membershipsOf(userId, trx))
    } else {
      requireManager(members, principal.userId, change.role ? [change.role] : [])
      if (!member) throw apiError('NOT_FOUND')
      requireManager(members, principal.userId, [member.role])
      if (member.status === 'invited' && change.status !== undefined) {
        throw apiError('INVALID_STATE', { message: 'The invitation has not been accepted by the user.' })
      }
    }
    const next = { ...member, role: change.role ?? member.role, status: change.status ?? member.status }
    keepAnOwner(members.map((one) => (one.userId === userId ? next : one)))
    await deps.organizations.updateMembership(trx, next)
    return next
  })
  deps.caches.accounts.delete(userId)
  return memberView(changed)
}

function isAcceptance(member: Membership, { principal, userId, change }: ChangeMemberInput): boolean {
  const isOwnInvitation = userId === principal.userId && member.status === 'invited'
  return isOwnInvitation && change.status === 'active' && change.role === undefined
}
