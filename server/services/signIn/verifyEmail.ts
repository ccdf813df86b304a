import { sha256Hex } from '@svc/core/hash.ts'
import { apiError } from '../../errors.ts'
import type { MailedTokenStore } from '../../store/accounts/mailedTokenStore.ts'
import type { UserStore } from '../../store/accounts/userStore.ts'
import type { Db } from '../../store/database/database.ts'

export type VerifyEmailDeps = {
  users: Pick<UserStore, 'verifyEmail'>
  mailedTokens: Pick<MailedTokenStore, 'take'>
  transaction: Db['transaction']
  /** Told when what the trust score asks of an account has changed. */
  onAccountChanged(userId: string): Promise<void>
}

export type VerifyEmailInput = { token: string; now: number }

/**
 * Takes the mailed token as proof that the address is the account's; no session is asked for, since a mail is often
 * opened elsewhere.
 *
 * @throws ApiError INVALID_TOKEN.
 */
export async function verifyEmail(deps: VerifyEmailDeps, input: VerifyEmailInput): Promise<void> {
  const { now } = input
  const tokenHash = sha256Hex(input.token)
  const userId = await deps.transaction(async (trx) => {
    const email = await deps.mailedTokens.take(trx, { tokenHash, purpose: 'verify_email' }, now)
    if (email === null) throw apiError('INVALID_TOKEN')
    return deps.users.verifyEmail(trx, email, now)
  })
  if (userId !== null) await deps.onAccountChanged(userId)
}
