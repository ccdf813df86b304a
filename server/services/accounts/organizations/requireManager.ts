import { type MemberRole, rolesManagedBy } from '@svc/core/memberRole.ts'
import { apiError } from '../../../errors.ts'
import type { Membership } from '../../../store/accounts/organizationStore.ts'

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
  const managed = rolesManagedBy(caller.role)
  if (roles.some((role) => !managed.includes(role))) throw apiError('FORBIDDEN')
}

/**
 * An organisation never loses its last active owner: nobody could manage it any more.
 *
 * @throws ApiError INVALID_STATE when the members to be would have none.
 */
export function keepAnOwner(members: readonly Membership[]): void {
  if (members.some(({ role, status }) => role === 'owner' && status === 'active')) return
  throw apiError('INVALID_STATE', { message: 'An organisation keeps at least one active owner.' })
}
