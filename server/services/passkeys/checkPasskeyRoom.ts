import { apiError } from '../../errors.ts'
import type { Passkey } from '../../store/accounts/passkeyStore.ts'
import type { SessionPrincipal } from '../principal.ts'
import { requireElevation } from '../requireElevation.ts'

const PASSKEYS_MAX = 20

/**
 * Checks that an account may get another passkey: the first is there for the asking, each further one is vouched
 * for by one that it has, so that a stolen session cannot make itself at home.
 *
 * @throws ApiError ELEVATION_REQUIRED, INVALID_STATE.
 */
export function checkPasskeyRoom(principal: SessionPrincipal, present: readonly Passkey[]): void {
  if (present.length > 0) requireElevation(principal)
  if (present.length < PASSKEYS_MAX) return
  throw apiError('INVALID_STATE', { message: `An account has at most ${PASSKEYS_MAX} passkeys.` })
}
