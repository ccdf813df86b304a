import { apiError } from '../../errors.ts'
import type { PasswordHasher } from '../../external/passwordHasher.ts'
import type { Db } from '../../store/database.ts'
import type { UserStore } from '../../store/userStore.ts'
import { type GrantSessionDeps, grantSession, type SessionGrant } from './grantSession.ts'
import { type OpenSessionDeps, openSession } from './openSession.ts'

export type LogInDeps = {
  users: UserStore
  passwords: PasswordHasher
  transaction: Db['transaction']
  /** Refuses by throwing when an account is tried too often from one address. */
  attempts: { take(caller: string, now: number): unknown }
  session: OpenSessionDeps & GrantSessionDeps
}

export type LogInInput = {
  /** Lower case. */
  email: string
  password: string
  ip: string
  now: number
}

/**
 * Signs in by e-mail and password.
 *
 * An unknown e-mail address, an account without a password and a wrong password are one answer after the same work.
 *
 * @throws ApiError UNAUTHENTICATED, RATE_LIMITED. Source: `Spec: POST /api/auth/login`; api.md "Accounts".
 */
export async function logIn(deps: LogInDeps, input: LogInInput): Promise<SessionGrant> {
  const { email, password, ip, now } = input
  await deps.attempts.take(`${ip} ${email}`, now)
  const found = await deps.users.withPassword(email)
  const isRight = await deps.passwords.verify(found?.passwordHash ?? null, password)
  if (!found || !isRight) {
    throw apiError('UNAUTHENTICATED', { message: 'The e-mail address or the password is wrong.' })
  }
  const { user } = found
  const opened = await deps.transaction((trx) =>
    openSession(deps.session, trx, { userId: user.id, amr: ['pwd'], now }),
  )
  return grantSession(deps.session, { user, ...opened, now })
}
