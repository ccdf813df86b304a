import { apiError } from '../errors.ts'
import type { PasskeyStore } from '../store/accounts/passkeyStore.ts'
import type { SessionPrincipal } from './principal.ts'
import { requireElevation } from './requireElevation.ts'

const FRESH_MS = 5 * 60 * 1000

/**
 * Requires a recent passkey assertion or, for an account without a passkey, a sign-in within the last five minutes.
 *
 * @throws ApiError ELEVATION_REQUIRED.
 */
export async function requireFreshProof(
  { passkeys }: { passkeys: Pick<PasskeyStore, 'ofUser'> },
  principal: SessionPrincipal,
  now: number,
): Promise<void> {
  if ((await passkeys.ofUser(principal.userId)).length > 0) return requireElevation(principal)
  if (now - principal.authenticatedAt <= FRESH_MS) return
  throw apiError('ELEVATION_REQUIRED', {
    message: 'Your account has no passkey: sign in again, and repeat this within five minutes.',
  })
}
