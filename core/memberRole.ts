/** The roles in an organisation, from the highest to the lowest. */
export const MEMBER_ROLES = ['owner', 'admin', 'member', 'viewer'] as const

/** A person's role in an organisation. */
export type MemberRole = (typeof MEMBER_ROLES)[number]

/** The roles with write access to what an organisation owns; a viewer only reads. */
export const WRITING_ROLES = ['owner', 'admin', 'member'] as const

/** The roles that administer an organisation: they may revoke others' keys, and are notified of what an operator does. */
export const ADMINISTERING_ROLES = ['owner', 'admin'] as const

const MANAGES: Record<MemberRole, readonly MemberRole[]> = {
  owner: MEMBER_ROLES,
  admin: ['member', 'viewer'],
  member: [],
  viewer: [],
}

/** The roles that a member of this role may grant, change and revoke: an owner all of them, an admin those below. */
export function listManagedRoles(role: MemberRole): readonly MemberRole[] {
  return MANAGES[role]
}

/** Whether a member of this role has write access to what the organisation owns. */
export function isWritingRole(role: MemberRole): boolean {
  return (WRITING_ROLES as readonly MemberRole[]).includes(role)
}

/** Whether a member of this role administers the organisation. */
export function isAdministeringRole(role: MemberRole): boolean {
  return (ADMINISTERING_ROLES as readonly MemberRole[]).includes(role)
}
