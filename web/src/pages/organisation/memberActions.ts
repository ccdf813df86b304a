import type { Member, MemberRole } from '../../api/types.ts'

export type MemberAction = 'changeRole' | 'suspend' | 'reinstate' | 'remove' | 'takeBack' | 'leave'

/** Whose roles a role may give, change and take: owners everybody's, admins those below them. */
const MANAGES: Record<MemberRole, readonly MemberRole[]> = {
  owner: ['owner', 'admin', 'member', 'viewer'],
  admin: ['member', 'viewer'],
  member: [],
  viewer: [],
}

/** The roles that a role may give; none for who manages nobody. */
export function rolesGivenBy(role: MemberRole): readonly MemberRole[] {
  return MANAGES[role]
}

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
  const isManaged = MANAGES[caller.role].includes(member.role)
  if (member.userId === caller.userId) {
    if (isLastOwner) return []
    return isManaged ? ['changeRole', 'leave'] : ['leave']
  }
  if (!isManaged) return []
  if (member.status === 'invited') return ['changeRole', 'takeBack']
  return ['changeRole', member.status === 'suspended' ? 'reinstate' : 'suspend', 'remove']
}
