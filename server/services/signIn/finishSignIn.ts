import type { Session as SessionGrant } from '@svc/core/contract/accounts.ts'
import { sha256Hex } from '@svc/core/hash.ts'
import { apiError } from '../../errors.ts'
import type { InterimSignInStore } from '../../store/accounts/interimSignInStore.ts'
import type { SessionClient } from '../../store/accounts/sessionStore.ts'
import type { TotpStore } from '../../store/accounts/totpStore.ts'
import type { User, UserStore } from '../../store/accounts/userStore.ts'
import type { Db } from '../../store/database/database.ts'
import { type AttemptCounter, type CountedAttempt, refuseAttempt } from '../accounts/createAttemptCounter.ts'
import { type GrantSessionDeps, grantSession } from '../accounts/grantSession.ts'
import { type OpenSessionDeps, openSession } from '../accounts/openSession.ts'
import { type Post, postMail } from '../mail/postMail.ts'
import { consumeCode, type UseCodeDeps } from './consumeCode.ts'
import { loginSubjectOf } from './loginSubjectOf.ts'

export type FinishSignInDeps = UseCodeDeps & {
  totp: Pick<TotpStore, 'countRecoveryCodes'>
  users: Pick<UserStore, 'byId'>
  interimSignIns: Pick<InterimSignInStore, 'takeTry' | 'delete'>
  transaction: Db['transaction']
  session: OpenSessionDeps & GrantSessionDeps
  attempts: { code: AttemptCounter; login: AttemptCounter }
  post: Post
}

export type FinishSignInInput = {
  interimToken: string
  code: string
  ip: string
  client: SessionClient
  now: number
}

type Trx = Parameters<Parameters<Db['transaction']>[0]>[0]
type Opened = Awaited<ReturnType<typeof openSession>>
type Outcome = { user: User; opened: Opened } | { refused: CountedAttempt | null }

/** Maximum attempts per interim token. */
const TRIES_MAX = 5

/**
 * Completes a sign-in with a code of the authenticator app or a recovery code.
 *
 * Attempts are counted per interim token and per account, because anyone with the password can request any number of
 * interim tokens. The owner is notified by mail when a recovery code is used.
 *
 * @throws ApiError UNAUTHENTICATED, RATE_LIMITED, ACCOUNT_SUSPENDED. Source: `Spec: Authentication` 3, 7.
 */
export async function finishSignIn(deps: FinishSignInDeps, input: FinishSignInInput): Promise<SessionGrant> {
  const outcome = await deps.transaction((trx) => attempt(deps, trx, input))
  if ('refused' in outcome) {
    if (outcome.refused) {
      deps.post.wake()
      refuseAttempt(outcome.refused)
    }
    throw apiError('UNAUTHENTICATED', { message: 'The code is wrong, or the sign-in has to begin again.' })
  }
  deps.post.wake()
  return grantSession(deps.session, { user: outcome.user, ...outcome.opened, now: input.now })
}

/** Returns a result instead of throwing, because a failed attempt must be committed. */
async function attempt(deps: FinishSignInDeps, trx: Trx, input: FinishSignInInput): Promise<Outcome> {
  const { ip, client, code, now } = input
  const tokenHash = sha256Hex(input.interimToken)
  const waiting = await deps.interimSignIns.takeTry(trx, tokenHash, TRIES_MAX, now)
  if (!waiting) return { refused: null }
  const { userId } = waiting
  const user = await deps.users.byId(userId, trx)
  if (!user) return { refused: null }
  const counted = await deps.attempts.code.count(trx, userId, now)
  if (!counted.isAllowed) {
    if (counted.isNew) await tell(deps, trx, user, { template: 'codes_locked', now })
    return { refused: counted }
  }
  const used = await consumeCode(deps, trx, { userId, code, now })
  if (used === null) return { refused: null }
  await deps.interimSignIns.delete(trx, tokenHash)
  await deps.attempts.code.clear(trx, userId)
  await deps.attempts.login.clear(trx, loginSubjectOf(ip, user.email))
  if (used === 'recovery') await tell(deps, trx, user, { template: 'recovery_code_used', now })
  const amr = [...waiting.amr, 'otp', 'mfa']
  return { user, opened: await openSession(deps.session, trx, { user, amr, client, now }) }
}

async function tell(
  deps: FinishSignInDeps,
  trx: Trx,
  { id, email }: User,
  { template, now }: { template: 'codes_locked' | 'recovery_code_used'; now: number },
): Promise<void> {
  if (email === null) return
  const { post } = deps
  if (template === 'codes_locked') {
    const key = `codes_locked.${id}.${new Date(now).toISOString().slice(0, 10)}`
    const data = { link: `${post.appUrl}/forgot-password` }
    return postMail(post, trx, { template, recipient: email, data, now, key })
  }
  const left = await deps.totp.countRecoveryCodes(id, trx)
  const data = { left, link: `${post.appUrl}/account` }
  return postMail(post, trx, { template, recipient: email, data, now })
}
