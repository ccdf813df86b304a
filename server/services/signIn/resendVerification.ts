import { apiError } from '../../errors.ts'
import type { UserStore } from '../../store/accounts/userStore.ts'
import type { Db } from '../../store/database/database.ts'
import type { SessionPrincipal } from '../principal.ts'
import { type MailTokenDeps, mailToken } from './mailToken.ts'

export type ResendVerificationDeps = MailTokenDeps & {
  users: Pick<UserStore, 'byId'>
  /** Refuses by throwing when an account asks too often. */
  resends: { take(caller: string, now: number): unknown }
  transaction: Db['transaction']
}

export type ResendVerificationInput = { principal: SessionPrincipal; now: number }

/**
 * Mails the caller another token for the account's address; the one before it is good for nothing then.
 *
 * @throws ApiError INVALID_STATE for an account without an address or with a proven one, RATE_LIMITED.
 */
export async function resendVerification(
  deps: ResendVerificationDeps,
  { principal, now }: ResendVerificationInput,
): Promise<void> {
  const user = await deps.users.byId(principal.userId)
  if (!user || user.email === null) {
    throw apiError('INVALID_STATE', { message: 'The account has no e-mail address.' })
  }
  if (user.emailVerifiedAt !== null) {
    throw apiError('INVALID_STATE', { message: 'The e-mail address is confirmed already.' })
  }
  await deps.resends.take(user.id, now)
  const { email } = user
  await deps.transaction((trx) =>
    mailToken(deps, trx, { purpose: 'verify_email', email, now, isKnown: true }),
  )
  deps.post.wake()
}
