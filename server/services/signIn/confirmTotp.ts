import { apiError, validationError } from '../../errors.ts'
import type { TotpStore } from '../../store/accounts/totpStore.ts'
import type { UserStore } from '../../store/accounts/userStore.ts'
import type { Db } from '../../store/database/database.ts'
import { type AttemptCounter, refuseAttempt } from '../accounts/createAttemptCounter.ts'
import { type RequireLiveSessionDeps, requireLiveSession } from '../accounts/requireLiveSession.ts'
import { type Post, postMail } from '../mail/postMail.ts'
import type { SessionPrincipal } from '../principal.ts'
import { consumeAppCode, type UseAppCodeDeps } from './consumeAppCode.ts'

export type ConfirmTotpDeps = UseAppCodeDeps &
  RequireLiveSessionDeps & {
    totp: Pick<TotpStore, 'of' | 'useStep' | 'confirm'>
    users: Pick<UserStore, 'byId'>
    transaction: Db['transaction']
    attempts: { code: AttemptCounter }
    post: Post
    /** Told when what the trust score asks of an account has changed. */
    onAccountChanged(userId: string): Promise<void>
  }

export type ConfirmTotpInput = { principal: SessionPrincipal; code: string; now: number }

/**
 * Turns the authenticator app on by its first code, from the next sign-in on; the owner is told by mail.
 *
 * @throws ApiError NOT_FOUND when none is enrolled, INVALID_STATE, VALIDATION_ERROR for a wrong code, RATE_LIMITED,
 * UNAUTHENTICATED.
 */
export async function confirmTotp(deps: ConfirmTotpDeps, input: ConfirmTotpInput): Promise<void> {
  const { code, now } = input
  const { userId } = input.principal
  const user = await deps.users.byId(userId)
  const counted = await deps.transaction(async (trx) => {
    await requireLiveSession(deps, trx, input.principal)
    const factor = await deps.totp.of(userId, trx)
    if (!factor) throw apiError('NOT_FOUND')
    if (factor.confirmedAt !== null) throw apiError('INVALID_STATE', { message: 'It is confirmed already.' })
    const attempt = await deps.attempts.code.count(trx, userId, now)
    if (!attempt.isAllowed) return attempt
    // A recovery code does not prove an app, and is not consumed when it is mistaken for a code.
    if (!(await consumeAppCode(deps, trx, { factor, code, now }))) return null
    await deps.totp.confirm(trx, userId, now)
    await deps.attempts.code.clear(trx, userId)
    const data = { isOn: true, link: `${deps.post.appUrl}/account` }
    if (user?.email)
      await postMail(deps.post, trx, { template: 'totp_changed', recipient: user.email, data, now })
    return attempt
  })
  if (!counted)
    throw validationError([{ pointer: '/code', code: 'wrong', message: 'is not the code of now' }])
  refuseAttempt(counted)
  deps.post.wake()
  await deps.onAccountChanged(userId)
}
