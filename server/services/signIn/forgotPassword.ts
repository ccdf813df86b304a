import { sha256Hex } from '@svc/core/hash.ts'
import type { UserStore } from '../../store/accounts/userStore.ts'
import type { Db } from '../../store/database/database.ts'
import { isWithinBudget } from '../isWithinBudget.ts'
import { type MailTokenDeps, mailToken } from './mailToken.ts'

export type ForgotPasswordDeps = MailTokenDeps & {
  users: Pick<UserStore, 'byEmail'>
  /** Refuses by throwing when one address is asked for too often. */
  resets: { take(caller: string, now: number): unknown }
  transaction: Db['transaction']
}

export type ForgotPasswordInput = { email: string; now: number }

/**
 * Mails a token to choose a new password with, if there is such an account, and tells nobody whether there is.
 *
 * The same statements run for an address that nobody has. What is asked for too often is left out without a word: the
 * mails that went before hold a token that is still good, and a refusal would let a stranger see how often its owner asks.
 */
export async function forgotPassword(deps: ForgotPasswordDeps, input: ForgotPasswordInput): Promise<void> {
  const { email, now } = input
  if (!(await isWithinBudget(deps.resets, sha256Hex(email), now))) return
  await deps.transaction(async (trx) => {
    const user = await deps.users.byEmail(email, trx)
    await mailToken(deps, trx, { purpose: 'reset_password', email, now, isKnown: user !== null })
  })
  deps.post.wake()
}
