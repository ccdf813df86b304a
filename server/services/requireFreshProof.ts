import { apiError } from '../errors.ts'
import type { PasskeyStore } from '../store/accounts/passkeyStore.ts'
import type { SessionPrincipal } from './principal.ts'
import { requireElevation } from './requireElevation.ts'

const FRESH_MS = 5 * 60 * 1000

/**
 * Requires a recent passkey assertion or, for an account without a passkey, a sign-in within the last five minutes.
 *
 * Whatever adds a way to sign in or locks one requires it, so that whoever stole a session can neither establish
 * themselves nor lock the owner out.
 *
 * @param trx The transaction that creates the credential, if it checks. @throws ApiError ELEVATION_REQUIRED.
 */
export async function requireFreshProof(
  { passkeys }: { passkeys: Pick<PasskeyStore, 'ofUser'> },
  principal: SessionPrincipal,
  now: number,
  trx?: Parameters<PasskeyStore['ofUser']>[1],
): Promise<void> {
  if ((await passkeys.ofUser(principal.userId, trx)).length > 0) return requireElevation(principal)
  if (now - principal.authenticatedAt <= FRESH_MS) return
  throw apiError('ELEVATION_REQUIRED', {
    message: 'Your account has no passkey: sign in again, and repeat this within five minutes.',
  })
}
