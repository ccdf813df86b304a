import { apiError, validationError } from '../../errors.ts'
import type { PasswordHasher } from '../../external/passwordHasher.ts'
import type { SessionStore } from '../../store/accounts/sessionStore.ts'
import type { UserStore } from '../../store/accounts/userStore.ts'
import type { Db } from '../../store/database/database.ts'
import { type AttemptCounter, refuseAttempt } from '../accounts/createAttemptCounter.ts'
import { sessionEnded } from '../accounts/requireLiveSession.ts'
import type { SessionPrincipal } from '../principal.ts'
import { type ReplacePasswordDeps, refuseWeakPassword, replacePassword } from './replacePassword.ts'

export type ChangePasswordDeps = ReplacePasswordDeps & {
  users: Pick<UserStore, 'byId' | 'passwordHashOf'>
  sessions: Pick<SessionStore, 'live' | 'endOfUser'>
  passwords: PasswordHasher
  transaction: Db['transaction']
  attempts: { password: AttemptCounter }
}

export type ChangePasswordInput = {
  principal: SessionPrincipal
  currentPassword: string | undefined
  newPassword: string
  ip: string
  now: number
}

/**
 * Changes the caller's password, ends the other sessions of the account, and tells the owner by mail.
 *
 * It takes the password there is, or a fresh passkey; an account that has none yet is given its first with a passkey, or
 * by a mailed token.
 *
 * @throws ApiError INVALID_STATE without an e-mail address, ELEVATION_REQUIRED, VALIDATION_ERROR, RATE_LIMITED.
 */
export async function changePassword(deps: ChangePasswordDeps, input: ChangePasswordInput): Promise<void> {
  const { principal, newPassword, ip, now } = input
  const user = await deps.users.byId(principal.userId)
  if (!user || user.email === null) {
    throw apiError('INVALID_STATE', { message: 'A password is of an account that has an e-mail address.' })
  }
  const proven = principal.isElevated ? null : await proveCurrentPassword(deps, input)
  refuseWeakPassword(newPassword, user, '/newPassword')
  const passwordHash = await deps.passwords.hash(newPassword)
  const own = { id: user.id, email: user.email }
  const exceptSessionId = principal.sessionId
  const ended = await deps.transaction(async (trx) => {
    // Another change may have come first: it ended this session, or took away what was proven in it.
    if (!(await deps.sessions.live(principal.sessionId, trx))) throw sessionEnded()
    if (proven !== null && (await deps.users.passwordHashOf(user.id, trx)) !== proven) throw wrongPassword()
    if (proven !== null) await deps.attempts.password.clear(trx, user.id)
    const change = { user: own, passwordHash, ip, exceptSessionId, isFirstProof: false, now }
    return replacePassword(deps, trx, change)
  })
  for (const sessionId of ended) deps.caches.sessions.delete(sessionId)
  deps.post.wake()
}

/** The hash that the password given was compared with. */
async function proveCurrentPassword(deps: ChangePasswordDeps, input: ChangePasswordInput): Promise<string> {
  const { principal, currentPassword, now } = input
  const { userId } = principal
  const stored = await deps.users.passwordHashOf(userId)
  if (currentPassword === undefined || stored === null) throw apiError('ELEVATION_REQUIRED')
  refuseAttempt(await deps.transaction((trx) => deps.attempts.password.count(trx, userId, now)))
  if (await deps.passwords.verify(stored, currentPassword)) return stored
  // Another change may have replaced the password since, and ended this session with it.
  if (!(await deps.sessions.live(principal.sessionId))) throw sessionEnded()
  throw wrongPassword()
}

function wrongPassword() {
  return validationError([{ pointer: '/currentPassword', code: 'wrong', message: 'is not the password' }])
}
