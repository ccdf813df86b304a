import { findPasswordFault, type PasswordOwner } from '@svc/core/passwords/findPasswordFault.ts'
import { validationError } from '../../errors.ts'
import type { InterimSignInStore } from '../../store/accounts/interimSignInStore.ts'
import type { MailedTokenStore } from '../../store/accounts/mailedTokenStore.ts'
import type { SessionStore } from '../../store/accounts/sessionStore.ts'
import type { UserStore } from '../../store/accounts/userStore.ts'
import type { AccountCaches } from '../accounts/accountCaches.ts'
import type { AttemptCounter } from '../accounts/createAttemptCounter.ts'
import { type Post, postMail } from '../mail/postMail.ts'
import { loginSubjectOf } from './loginSubjectOf.ts'

export type ReplacePasswordDeps = {
  users: Pick<UserStore, 'setPasswordHash'>
  sessions: Pick<SessionStore, 'endOfUser'>
  interimSignIns: Pick<InterimSignInStore, 'deleteOfUser'>
  mailedTokens: Pick<MailedTokenStore, 'withdraw'>
  caches: Pick<AccountCaches, 'sessions'>
  attempts: { login: AttemptCounter }
  post: Post
}

export type ReplacePasswordInput = {
  user: { id: string; email: string }
  passwordHash: string
  ip: string
  /** The session that stays; null for none. */
  exceptSessionId: string | null
  /** Whether this verified the address for the first time, so that other credentials were removed too. */
  isFirstProof: boolean
  now: number
}

/**
 * Stores a new password, ends the sessions of the old one and the mailed reset token, and notifies the owner; returns the
 * ended sessions.
 */
export async function replacePassword(
  deps: ReplacePasswordDeps,
  trx: Parameters<UserStore['setPasswordHash']>[0],
  { user, passwordHash, ip, exceptSessionId, isFirstProof, now }: ReplacePasswordInput,
): Promise<string[]> {
  await deps.users.setPasswordHash(trx, user.id, passwordHash)
  await deps.interimSignIns.deleteOfUser(trx, user.id)
  await deps.mailedTokens.withdraw(trx, 'reset_password', user.email)
  await deps.attempts.login.clear(trx, loginSubjectOf(ip, user.email))
  const data = { isFirstProof, link: `${deps.post.appUrl}/forgot-password` }
  await postMail(deps.post, trx, { template: 'password_changed', recipient: user.email, data, now })
  return deps.sessions.endOfUser(trx, user.id, { at: now, reason: 'password_changed' }, exceptSessionId)
}

/**
 * Rejects a password that is easy to guess; the body schema checks its length.
 *
 * @param pointer The field in the body. @throws ApiError VALIDATION_ERROR, without the password.
 */
export function refuseWeakPassword(password: string, owner: PasswordOwner, pointer = '/password'): void {
  const fault = findPasswordFault(password, owner)
  if (fault) throw validationError([{ pointer, ...fault }])
}
