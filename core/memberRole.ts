/** What a person is in an organisation. Source: api.md "Accounts". */
export type MemberRole = 'owner' | 'admin' | 'member' | 'viewer'

const MANAGES: Record<MemberRole, readonly MemberRole[]> = {
  owner: ['owner', 'admin', 'member', 'viewer'],
  admin: ['member', 'viewer'],
  member: [],
  viewer: [],
}

/** Whose memberships a role may give, change and take: owners everybody's, admins those below them. */
export function rolesManagedBy(role: MemberRole): readonly MemberRole[] {
  return MANAGES[role]
}
