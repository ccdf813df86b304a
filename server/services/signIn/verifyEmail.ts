import { sha256Hex } from '@svc/core/hash.ts'
import { apiError } from '../../errors.ts'
import type { MailedTokenStore } from '../../store/accounts/mailedTokenStore.ts'
import type { UserStore } from '../../store/accounts/userStore.ts'
import type { Db } from '../../store/database/database.ts'
import type { SessionPrincipal } from '../principal.ts'
import { type MailTokenDeps, mailToken } from './mailToken.ts'

export type VerifyEmailDeps = {
  users: Pick<UserStore, 'verifyEmail'>
  mailedTokens: Pick<MailedTokenStore, 'take'>
  transaction: Db['transaction']
  /** Called when the inputs of the trust score have changed for an account. */
  onAccountChanged(userId: string): Promise<void>
}

export type VerifyEmailInput = { token: string; now: number }

/**
 * Accepts the mailed token as proof of the account's address; no session is required, because mails are often opened
 * elsewhere.
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
