import type { Session as SessionGrant } from '@svc/core/contract/accounts.ts'
import { apiError } from '../../errors.ts'
import type { PasswordHasher } from '../../external/passwordHasher.ts'
import type { SessionClient } from '../../store/accounts/sessionStore.ts'
import type { UserStore } from '../../store/accounts/userStore.ts'
import { type Post, postMail } from '../mail/postMail.ts'
import { loginSubjectOf } from '../signIn/loginSubjectOf.ts'
import { type CodeRequired, type PassFirstFactorDeps, passFirstFactor } from '../signIn/passFirstFactor.ts'
import { type AttemptCounter, refuseAttempt } from './createAttemptCounter.ts'

export type LogInDeps = {
  users: Pick<UserStore, 'withPassword' | 'byEmail' | 'passwordHashOf'>
  passwords: PasswordHasher
  /** Attempts per account and peer address. */
  attempts: { login: AttemptCounter }
  firstFactor: PassFirstFactorDeps
  post: Post
}

export type LogInInput = {
  /** Lower case. */
  email: string
  password: string
  ip: string
  client: SessionClient
  now: number
}

/**
 * Signs in by e-mail address and password, or asks for the second factor.
 *
 * An unknown address, an account without a password and a wrong password lead to the same response after the same work, and
 * count alike. The owner of a locked account gets a mail, at most one a day.
 *
 * @throws ApiError UNAUTHENTICATED, RATE_LIMITED. Source: `Spec: POST /api/auth/login`.
 */
export async function logIn(deps: LogInDeps, input: LogInInput): Promise<SessionGrant | CodeRequired> {
  const { email, password, ip, client, now } = input
  const subject = loginSubjectOf(ip, email)
  await takeAttempt(deps, subject, email, now)
  const found = await deps.users.withPassword(email)
  const isRight = await deps.passwords.verify(found?.passwordHash ?? null, password)
  if (!found || !isRight) {
    throw apiError('UNAUTHENTICATED', { message: 'The e-mail address or the password is wrong.' })
  }
  const { user, passwordHash } = found
  return passFirstFactor(deps.firstFactor, {
    user,
    amr: ['pwd'],
    client,
    now,
    isStillGood: async (trx) => (await deps.users.passwordHashOf(user.id, trx)) === passwordHash,
    onComplete: (trx) => deps.attempts.login.clear(trx, subject),
  })
}

async function takeAttempt(deps: LogInDeps, subject: string, email: string, now: number): Promise<void> {
  const { post } = deps
  const counted = await deps.firstFactor.transaction(
    async (trx) => {
      const attempt = await deps.attempts.login.count(trx, subject, now)
      if (attempt.isAllowed || !attempt.isNew) return attempt
      const user = await deps.users.byEmail(email, trx)
      if (!user) return attempt
      await postMail(post, trx, {
        template: 'sign_in_locked',
        recipient: email,
        data: { link: `${post.appUrl}/forgot-password` },
        now,
        key: `sign_in_locked.${user.id}.${new Date(now).toISOString().slice(0, 10)}`,
      })
      return attempt
    },
    [`account ${email}`],
  )
  if (counted.isAllowed) return
  if (counted.isNew) post.wake()
  refuseAttempt(counted)
}
