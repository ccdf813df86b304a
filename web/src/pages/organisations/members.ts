import type { Member } from '@svc/core/contract/accounts.ts'
import { listManagedRoles, type MemberRole } from '@svc/core/memberRole.ts'

export type MemberAction = 'changeRole' | 'suspend' | 'reinstate' | 'remove' | 'takeBack' | 'leave'

/**
 * Lists the actions to offer on a member; the service makes the final decision.
 *
 * @param isLastOwner Whether the member is the only active owner, who can neither leave nor change role.
 */
export function listMemberActions(
  caller: { userId: string; role: MemberRole },
  member: Pick<Member, 'userId' | 'role' | 'status'>,
  isLastOwner: boolean,
): MemberAction[] {
  const isManaged = listManagedRoles(caller.role).includes(member.role)
  if (member.userId === caller.userId) {
    if (isLastOwner) return []
    return isManaged ? ['changeRole', 'leave'] : ['leave']
  }
  if (!isManaged) return []
  if (member.status === 'invited') return ['changeRole', 'takeBack']
  return ['changeRole', member.status === 'suspended' ? 'reinstate' : 'suspend', 'remove']
}

/** Display name of a member or invitee. */
export function nameOf({ fullName, email }: Pick<Member, 'fullName' | 'email'>): string {
  return fullName ?? email ?? 'Unnamed wallet'
}

/** The roles in an organisation and what they allow. */
export const roles: readonly { value: MemberRole; label: string }[] = [
  { value: 'member', label: 'Member: manages endpoints and API keys' },
  { value: 'viewer', label: 'Viewer: read-only' },
  { value: 'admin', label: 'Admin: also invites and removes members' },
  { value: 'owner', label: 'Owner' },
]
