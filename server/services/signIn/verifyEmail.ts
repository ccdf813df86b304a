import { sha256Hex } from '@svc/core/hash.ts'
import { apiError } from '../../errors.ts'
import type { Db } from '../../store/database.ts'
import type { MailedTokenStore } from '../../store/mailedTokenStore.ts'
import type { UserStore } from '../../store/userStore.ts'
import type { SessionPrincipal } from '../principal.ts'

export type VerifyEmailDeps = {
  users: Pick<UserStore, 'byId' | 'verifyEmail'>
  mailedTokens: Pick<MailedTokenStore, 'take'>
  transaction: Db['transaction']
  /** Told when what the trust score asks of an account has changed. */
  onAccountChanged(userId: string): Promise<void>
}

export type VerifyEmailInput = { principal: SessionPrincipal; token: string; now: number }

/**
 * Takes the mailed token as proof that the address is the caller's.
 *
 * It takes both, the mailbox and a sign-in to the account: the link alone, followed by an owner whose address a stranger
 * registered with, would bless the stranger's account. An owner who cannot sign in resets the password.
 *
 * @throws ApiError INVALID_TOKEN, INVALID_STATE for another account, whose token stays good.
 */
export async function verifyEmail(
  deps: VerifyEmailDeps,
  { principal, token, now }: VerifyEmailInput,
): Promise<void> {
  const { userId } = principal
  const tokenHash = sha256Hex(token)
  const verified = await deps.transaction(async (trx) => {
    const email = await deps.mailedTokens.take(trx, { tokenHash, purpose: 'verify_email' }, now)
    if (email === null) throw apiError('INVALID_TOKEN')
    const user = await deps.users.byId(userId, trx)
    if (user?.email !== email) {
      throw apiError('INVALID_STATE', { message: 'The link was mailed to the address of another account.' })
    }
    return deps.users.verifyEmail(trx, email, now)
  })
  if (verified !== null) await deps.onAccountChanged(userId)
}
