import { apiError } from '../../../errors.ts'
import type { Membership } from '../../../store/accounts/organizationStore.ts'

/**
 * An organisation never loses its last active owner: nobody could manage it any more.
 *
 * @throws ApiError INVALID_STATE when the members to be would have none.
 */
export function keepAnOwner(members: readonly Membership[]): void {
  if (members.some(({ role, status }) => role === 'owner' && status === 'active')) return
  throw apiError('INVALID_STATE', { message: 'An organisation keeps at least one active owner.' })
}
