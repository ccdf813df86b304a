import { apiError } from '../../errors.ts'
import type { MemberRole, Membership } from '../../store/organizationStore.ts'

/** Whose memberships a role may give, change and take: owners everybody's, admins those below them. */
const MANAGES: Record<MemberRole, readonly MemberRole[]> = {
  owner: ['owner', 'admin', 'member', 'viewer'],
  admin: ['member', 'viewer'],
  member: [],
  viewer: [],
}

/**
 * Checks that the caller may deal with members of these roles.
 *
 * Who is not an active member does not learn that there is such an organisation.
 *
 * @throws ApiError NOT_FOUND, FORBIDDEN.
 */
export function requireManager(
  members: readonly Membership[],
  userId: string,
  roles: readonly MemberRole[],
): void {
  const caller = members.find((member) => member.userId === userId)
  if (caller?.status !== 'active') throw apiError('NOT_FOUND')
  if (roles.some((role) => !MANAGES[caller.role].includes(role))) throw apiError('FORBIDDEN')
}
