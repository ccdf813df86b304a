import { listManagedRoles, type MemberRole } from '@svc/core/memberRole.ts'
import { apiError } from '../../../errors.ts'
import type { Membership } from '../../../store/accounts/organizationStore.ts'

/**
 * Requires that the caller may manage members of these roles.
 *
 * A caller who is not an active member does not learn that the organisation exists.
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
  const managed = listManagedRoles(caller.role)
  if (roles.some((role) => !managed.includes(role))) throw apiError('FORBIDDEN')
}

/**
 * Ensures that an organisation keeps an active owner, without whom nobody could manage it.
 *
 * @throws ApiError INVALID_STATE if the new members would include none.
 */
export function keepAnOwner(members: readonly Membership[]): void {
  if (members.some(({ role, status }) => role === 'owner' && status === 'active')) return
  throw apiError('INVALID_STATE', { message: 'An organisation needs at least one active owner.' })
}
