/** A person's role in an organisation. */
export type MemberRole = 'owner' | 'admin' | 'member' | 'viewer'

const MANAGES: Record<MemberRole, readonly MemberRole[]> = {
  owner: ['owner', 'admin', 'member', 'viewer'],
  admin: ['member', 'viewer'],
  member: [],
  viewer: [],
}

/** The roles that a member of this role may grant, change and revoke: an owner all of them, an admin those below. */
export function listManagedRoles(role: MemberRole): readonly MemberRole[] {
  return MANAGES[role]
}
