import type { MemberRole } from '@svc/core/memberRole.ts'
import type { Invitation } from '../../../store/accounts/invitationStore.ts'
import type { Member, MemberStatus } from '../../../store/accounts/organizationStore.ts'

/** A member, or an invited address, as the members of the organisation see it. */
export type MemberView = {
  /** What the paths name it by: of a member the user's id, of an invitation its own. */
  id: string
  /** Null for an invited address: whether it has an account is not said. */
  userId: string | null
  email: string | null
  fullName: string | null
  role: MemberRole
  status: MemberStatus
  createdAt: string
}

/** Shows a member or an invitation. */
export function memberView(shown: Member | Invitation): MemberView {
  const { email, role } = shown
  const createdAt = new Date(shown.createdAt).toISOString()
  if ('tokenHash' in shown) {
    return { id: shown.id, userId: null, email, fullName: null, role, status: 'invited', createdAt }
  }
  const { userId, fullName, status } = shown
  return { id: userId, userId, email, fullName, role, status, createdAt }
}
