import { apiError } from '../../errors.ts'
import type { Db } from '../../store/database.ts'
import type { MemberRole, Membership, OrganizationStore } from '../../store/organizationStore.ts'
import type { UserStore } from '../../store/userStore.ts'
import type { SessionPrincipal } from '../principal.ts'
import { type MemberView, memberView } from './memberView.ts'
import { requireManager } from './requireManager.ts'

export type AddMemberDeps = {
  users: UserStore
  organizations: OrganizationStore
  transaction: Db['transaction']
}

export type AddMemberInput = {
  principal: SessionPrincipal
  organizationId: string
  /** Lower case. */
  email: string
  role: MemberRole
  now: number
}

const MEMBERS_MAX = 500

/**
 * Invites the account with this e-mail address.
 *
 * It acts for the organisation only after it has accepted: otherwise anybody could make a stranger's keys speak for
 * an organisation the stranger knows nothing of.
 *
 * @throws ApiError NOT_FOUND for no such organisation or account, FORBIDDEN, INVALID_STATE.
 */
export async function addMember(deps: AddMemberDeps, input: AddMemberInput): Promise<MemberView> {
  const { principal, organizationId, email, role, now } = input
  const user = await deps.users.byEmail(email)
  return deps.transaction(async (trx) => {
    const members = await deps.organizations.members(trx, organizationId)
    requireManager(members, principal.userId, [role])
    if (!user) throw apiError('NOT_FOUND', { message: 'No account has this e-mail address.' })
    if (members.length >= MEMBERS_MAX) {
      throw apiError('INVALID_STATE', { message: `An organisation has at most ${MEMBERS_MAX} members.` })
    }
    const membership: Membership = {
      organizationId,
      userId: user.id,
      role,
      status: 'invited',
      createdAt: now,
    }
    if (!(await deps.organizations.insertMembership(trx, membership))) {
      throw apiError('INVALID_STATE', { message: 'The account is in the organisation already.' })
    }
    return memberView(membership)
  })
}
