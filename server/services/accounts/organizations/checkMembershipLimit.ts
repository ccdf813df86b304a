import { apiError } from '../../../errors.ts'
import type { Membership } from '../../../store/accounts/organizationStore.ts'

const ACTIVE_MAX = 100

/**
 * Bounds the organisations one account acts for, because each of its credentials carries them all.
 *
 * @throws ApiError INVALID_STATE when the account is active in as many as it may be.
 */
export function checkMembershipLimit(memberships: readonly Membership[]): void {
  const active = memberships.filter(({ status }) => status === 'active').length
  if (active < ACTIVE_MAX) return
  throw apiError('INVALID_STATE', {
    message: `An account can be an active member of at most ${ACTIVE_MAX} organisations.`,
  })
}
