import { type MemberRole, rolesManagedBy } from '@svc/core/memberRole.ts'
import type { Member } from '../../api/types.ts'

export type MemberAction = 'changeRole' | 'suspend' | 'reinstate' | 'remove' | 'takeBack' | 'leave'

/**
 * What is offered to the caller at a member of its organisation; the service decides whether it is done.
 *
 * @param isLastOwner Whether the member is the only active owner, who neither leaves nor steps down.
 */
export function memberActions(
  caller: { userId: string; role: MemberRole },
  member: Pick<Member, 'userId' | 'role' | 'status'>,
  isLastOwner: boolean,
): MemberAction[] {
  const isManaged = rolesManagedBy(caller.role).includes(member.role)
  if (member.userId === caller.userId) {
    if (isLastOwner) return []
    return isManaged ? ['changeRole', 'leave'] : ['leave']
  }
  if (!isManaged) return []
  if (member.status === 'invited') return ['changeRole', 'takeBack']
  return ['changeRole', member.status === 'suspended' ? 'reinstate' : 'suspend', 'remove']
}

/** What a member, or who is invited, is called. */
export function nameOf({ fullName, email }: Pick<Member, 'fullName' | 'email'>): string {
  return fullName ?? email ?? 'A wallet without a name'
}

/** The roles of an organisation, and what each may do there. Source: api.md "Accounts". */
export const roles: readonly { value: MemberRole; label: string }[] = [
  { value: 'member', label: 'Member: works with endpoints and keys' },
  { value: 'viewer', label: 'Viewer: reads' },
  { value: 'admin', label: 'Admin: also invites and removes' },
  { value: 'owner', label: 'Owner' },
]
