import { apiError, validationError } from '../../errors.ts'
import type { TotpStore } from '../../store/accounts/totpStore.ts'
import type { UserStore } from '../../store/accounts/userStore.ts'
import type { Db } from '../../store/database/database.ts'
import { type AttemptCounter, refuseAttempt } from '../accounts/createAttemptCounter.ts'
import { type Post, postMail } from '../mail/postMail.ts'
import type { SessionPrincipal } from '../principal.ts'
import { requireElevation } from '../requireElevation.ts'
import { consumeCode, type UseCodeDeps } from './consumeCode.ts'

export type RemoveTotpDeps = UseCodeDeps & {
  totp: Pick<TotpStore, 'remove'>
  users: Pick<UserStore, 'byId'>
  transaction: Db['transaction']
  attempts: { code: AttemptCounter }
  post: Post
  /** Called when the inputs of the trust score have changed for an account. */
  onAccountChanged(userId: string): Promise<void>
}

export type RemoveTotpInput = { principal: SessionPrincipal; code: string | undefined; now: number }

/**
 * Disables the authenticator app, with a recent passkey assertion or one of its codes, recovery codes included. The owner
 * is notified by mail.
 *
 * @throws ApiError NOT_FOUND if none is enabled, ELEVATION_REQUIRED, VALIDATION_ERROR for a wrong code, RATE_LIMITED.
 */
export async function removeTotp(deps: RemoveTotpDeps, input: RemoveTotpInput): Promise<void> {
  const { principal, code, now } = input
  const { userId } = principal
  const factor = await deps.totp.of(userId)
  if (!factor || factor.confirmedAt === null) throw apiError('NOT_FOUND')
  if (code === undefined) requireElevation(principal)
  const user = await deps.users.byId(userId)
  const counted = await deps.transaction(async (trx) => {
    if (code !== undefined) {
      const attempt = await deps.attempts.code.count(trx, userId, now)
      if (!attempt.isAllowed) return attempt
      if ((await consumeCode(deps, trx, { userId, code, now })) === null) return null
      await deps.attempts.code.clear(trx, userId)
    }
    await deps.totp.remove(trx, userId)
    const data = { isOn: false, link: `${deps.post.appUrl}/account` }
    if (user?.email)
      await postMail(deps.post, trx, { template: 'totp_changed', recipient: user.email, data, now })
    return { isAllowed: true as const }
  })
  if (!counted)
    throw validationError([{ pointer: '/code', code: 'wrong', message: 'is not a code that is good now' }])
  refuseAttempt(counted)
  deps.post.wake()
  await deps.onAccountChanged(userId)
}
