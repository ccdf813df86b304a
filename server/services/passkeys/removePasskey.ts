import { apiError } from '../../errors.ts'
import type { PasskeyStore } from '../../store/accounts/passkeyStore.ts'
import type { Db } from '../../store/database/database.ts'
import type { SessionPrincipal } from '../principal.ts'
import { requireElevation } from '../requireElevation.ts'

export type RemovePasskeyDeps = {
  passkeys: Pick<PasskeyStore, 'delete'>
  transaction: Db['transaction']
  /** Told when what the trust score asks of an account has changed. */
  onAccountChanged(userId: string): Promise<void>
}

export type RemovePasskeyInput = { principal: SessionPrincipal; id: string; now: number }

const FRESH_MS = 5 * 60 * 1000
/** Ways to have signed in that a password alone is not. Source: RFC 8176 §2. */
const STRONG = ['pop', 'mfa']

/**
 * Deletes a passkey of the caller, the last one too: what waits for a passkey's approval then waits for the next.
 *
 * It takes a fresh passkey, or, for who has lost it, a sign-in of the last five minutes by more than a password.
 * A password alone would make every passkey worth no more than the password.
 *
 * @throws ApiError ELEVATION_REQUIRED, NOT_FOUND.
 */
export async function removePasskey(deps: RemovePasskeyDeps, input: RemovePasskeyInput): Promise<void> {
  const { principal, id, now } = input
  if (!hasJustSignedIn(principal, now)) requireElevation(principal)
  const isDeleted = await deps.transaction((trx) => deps.passkeys.delete(trx, principal.userId, id))
  if (!isDeleted) throw apiError('NOT_FOUND')
  await deps.onAccountChanged(principal.userId)
}

function hasJustSignedIn({ amr, authenticatedAt }: SessionPrincipal, now: number): boolean {
  return now - authenticatedAt <= FRESH_MS && STRONG.some((method) => amr.includes(method))
}
