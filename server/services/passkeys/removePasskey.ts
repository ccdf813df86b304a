import { apiError } from '../../errors.ts'
import type { PasskeyStore } from '../../store/accounts/passkeyStore.ts'
import type { Db } from '../../store/database/database.ts'
import type { SessionPrincipal } from '../principal.ts'
import { requireElevation } from '../requireElevation.ts'

export type RemovePasskeyDeps = {
  passkeys: Pick<PasskeyStore, 'delete'>
  transaction: Db['transaction']
  /** Called when the inputs of the trust score have changed for an account. */
  onAccountChanged(userId: string): Promise<void>
}

export type RemovePasskeyInput = { principal: SessionPrincipal; id: string; now: number }

const FRESH_MS = 5 * 60 * 1000
/** `amr` values stronger than a password. Source: RFC 8176 §2. */
const STRONG = ['pop', 'mfa']

/**
 * Deletes one of the caller's passkeys, even the last: pending approvals then wait for a new one.
 *
 * It needs a recent passkey assertion or, if the passkey is lost, a sign-in within the last five minutes by more than a
 * password: otherwise every passkey would be only as strong as the password.
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
