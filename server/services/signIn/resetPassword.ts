import { sha256Hex } from '@svc/core/hash.ts'
import { apiError } from '../../errors.ts'
import type { PasswordHasher } from '../../external/passwordHasher.ts'
import type { MailedTokenStore } from '../../store/accounts/mailedTokenStore.ts'
import type { UserStore } from '../../store/accounts/userStore.ts'
import type { Db } from '../../store/database/database.ts'
import type { AccountCaches } from '../accounts/accountCaches.ts'
import { isWithinBudget } from '../isWithinBudget.ts'
import { type DropUnprovenCredentialsDeps, dropUnprovenCredentials } from './dropUnprovenCredentials.ts'
import { type MailTokenDeps, mailToken } from './mailToken.ts'
import { type ReplacePasswordDeps, refuseWeakPassword, replacePassword } from './replacePassword.ts'

export type ResetPasswordDeps = ReplacePasswordDeps &
  DropUnprovenCredentialsDeps & {
    users: Pick<UserStore, 'byEmail' | 'verifyEmail'>
    mailedTokens: Pick<MailedTokenStore, 'addressOf' | 'take' | 'withdraw'>
    passwords: Pick<PasswordHasher, 'hash'>
    transaction: Db['transaction']
    caches: Pick<AccountCaches, 'keys' | 'accounts'>
    /** Called when the inputs of the trust score have changed for an account. */
    onAccountChanged(userId: string): Promise<void>
  }

export type ResetPasswordInput = { token: string; password: string; ip: string; now: number }

/**
 * Sets a new password by the mailed token, ends all sessions, and notifies the owner by mail.
 *
 * A rejected password leaves the token valid. The token also verifies the address, because it was mailed there. A second
 * factor stays, because a mailbox must not replace it; except when the address is verified for the first time: then the
 * person who opened the account may be a stranger to it, and everything that signs in to it or acts for it is removed.
 *
 * @throws ApiError INVALID_TOKEN, VALIDATION_ERROR.
 */
export async function resetPassword(deps: ResetPasswordDeps, input: ResetPasswordInput): Promise<void> {
  const { ip, now } = input
  const token = { tokenHash: sha256Hex(input.token), purpose: 'reset_password' as const }
  const user = await deps.transaction(async (trx) => {
    const email = await deps.mailedTokens.addressOf(trx, token, now)
    return email === null ? null : deps.users.byEmail(email, trx)
  })
  if (!user) throw apiError('INVALID_TOKEN')
  refuseWeakPassword(input.password, user)
  const passwordHash = await deps.passwords.hash(input.password)
  const done = await deps.transaction(async (trx) => {
    const email = await deps.mailedTokens.take(trx, token, now)
    if (email === null) throw apiError('INVALID_TOKEN')
    const verified = await deps.users.verifyEmail(trx, email, now)
    const isFirstProof = verified !== null
    const revokedKeys = isFirstProof ? await dropUnprovenCredentials(deps, trx, { userId: user.id, now }) : []
    const own = { id: user.id, email }
    const change = { user: own, passwordHash, ip, exceptSessionId: null, isFirstProof, now }
    return { verified, revokedKeys, endedSessions: await replacePassword(deps, trx, change) }
  })
  for (const sessionId of done.endedSessions) deps.caches.sessions.delete(sessionId)
  for (const keyHash of done.revokedKeys) deps.caches.keys.delete(keyHash)
  if (done.verified !== null) deps.caches.accounts.delete(done.verified)
  deps.post.wake()
  if (done.verified !== null) await deps.onAccountChanged(done.verified)
}

export type ForgotPasswordDeps = MailTokenDeps & {
  users: Pick<UserStore, 'byEmail'>
  /** Throws if resets of one address are requested too often. */
  resets: { take(caller: string, now: number): unknown }
  transaction: Db['transaction']
}

export type ForgotPasswordInput = { email: string; now: number }

/**
 * Mails a token to reset the password, if there is such an account, without revealing whether there is.
 *
 * The same statements run for an unknown address. Requests beyond the limit are silently ignored: earlier mails contain a
 * valid token, and a refusal would reveal how often the owner asks.
 */
export async function startPasswordReset(
  deps: ForgotPasswordDeps,
  input: ForgotPasswordInput,
): Promise<void> {
  const { email, now } = input
  if (!(await isWithinBudget(deps.resets, sha256Hex(email), now))) return
  await deps.transaction(async (trx) => {
    const user = await deps.users.byEmail(email, trx)
    await mailToken(deps, trx, { purpose: 'reset_password', email, now, isKnown: user !== null })
  })
  deps.post.wake()
}
