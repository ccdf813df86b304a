import { sha256Hex } from '@svc/core/hash.ts'
import { apiError } from '../../errors.ts'
import type { MailedTokenStore } from '../../store/accounts/mailedTokenStore.ts'
import type { UserStore } from '../../store/accounts/userStore.ts'
import type { Db } from '../../store/database/database.ts'
import type { SessionPrincipal } from '../principal.ts'
import { type MailTokenDeps, mailToken } from './mailToken.ts'

export type VerifyEmailDeps = {
  users: Pick<UserStore, 'byId' | 'verifyEmail'>
  mailedTokens: Pick<MailedTokenStore, 'take'>
  transaction: Db['transaction']
  /** Called when the inputs of the trust score have changed for an account. */
  onAccountChanged(userId: string): Promise<void>
}

export type VerifyEmailInput = { principal: SessionPrincipal; token: string; now: number }

/**
 * Accepts the mailed token as proof of the account's address, in a session of that account only.
 *
 * The token proves the mailbox, the session the account. A stranger may have opened the account with somebody else's
 * address: without the session, the owner of the address would prove it for the stranger by following the link.
 *
 * @throws ApiError INVALID_TOKEN; INVALID_STATE for another account, which leaves the token valid. Source: Sudhodanan and
 * Paverd, "Pre-hijacked accounts", USENIX Security 2022.
 */
export async function verifyEmail(
  deps: VerifyEmailDeps,
  { principal, token, now }: VerifyEmailInput,
): Promise<void> {
  const taken = { tokenHash: sha256Hex(token), purpose: 'verify_email' as const }
  const verified = await deps.transaction(async (trx) => {
    const email = await deps.mailedTokens.take(trx, taken, now)
    if (email === null) throw apiError('INVALID_TOKEN')
    if ((await deps.users.byId(principal.userId, trx))?.email !== email) {
      throw apiError('INVALID_STATE', { message: 'The link was mailed to the address of another account.' })
    }
    return deps.users.verifyEmail(trx, email, now)
  })
  if (verified !== null) await deps.onAccountChanged(verified)
}

export type ResendVerificationDeps = MailTokenDeps & {
  users: Pick<UserStore, 'byId'>
  /** Throws if an account asks too often. */
  resends: { take(caller: string, now: number): unknown }
  transaction: Db['transaction']
}

export type ResendVerificationInput = { principal: SessionPrincipal; now: number }

/**
 * Mails the caller a new token for the account's address; the previous one becomes invalid.
 *
 * @throws ApiError INVALID_STATE for an account without an address or with a verified one, RATE_LIMITED.
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
