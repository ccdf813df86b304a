import { apiError } from '../../errors.ts'
import type { SessionStore } from '../../store/accounts/sessionStore.ts'
import type { UserStore } from '../../store/accounts/userStore.ts'
import type { Db } from '../../store/database/database.ts'
import type { AccountCaches } from '../accounts/accountCaches.ts'
import { type Post, postMail } from '../mail/postMail.ts'
import type { SessionPrincipal } from '../principal.ts'
import { requireElevation } from '../requireElevation.ts'
import { type RequireAnotherSignInDeps, requireAnotherSignIn } from '../signIn/requireAnotherSignIn.ts'
import { WALLET_AMR } from './signInByWallet.ts'

export type UnlinkWalletDeps = RequireAnotherSignInDeps & {
  users: Pick<UserStore, 'byId' | 'deleteWallet'>
  sessions: Pick<SessionStore, 'endOpenedBy'>
  caches: Pick<AccountCaches, 'sessions'>
  post: Post
  /** Called when the accounts that sign for the agents of an account have changed. */
  onAccountChanged(userId: string): Promise<void>
  transaction: Db['transaction']
}

export type UnlinkWalletInput = {
  principal: SessionPrincipal
  /** In upper or lower case. */
  address: string
  now: number
}

/**
 * Unlinks a wallet from the caller's account, with a recent passkey assertion if the account has a passkey, as for linking;
 * the owner is notified by mail.
 *
 * Agents registered by its key stay with the account, and it no longer signs for them; from now on the key signs for an
 * account of its own. All other sessions opened by wallets end, because one that an earlier release opened does not say by
 * which.
 *
 * @throws ApiError NOT_FOUND, INVALID_STATE for the last way to sign in, ELEVATION_REQUIRED.
 */
export async function unlinkWallet(
  deps: UnlinkWalletDeps,
  { principal, address: given, now }: UnlinkWalletInput,
): Promise<void> {
  const { userId, sessionId } = principal
  const address = given.toLowerCase()
  const ended = await deps.transaction(async (trx) => {
    if (!(await deps.users.addressesOf(userId, trx)).includes(address)) throw apiError('NOT_FOUND')
    if ((await deps.passkeys.ofUser(userId, trx)).length > 0) requireElevation(principal)
    await requireAnotherSignIn(deps, trx, userId)
    await deps.users.deleteWallet(trx, userId, { address, now })
    const user = await deps.users.byId(userId, trx)
    if (user?.email) {
      const data = { walletAddress: address, link: `${deps.post.appUrl}/account` }
      await postMail(deps.post, trx, { template: 'wallet_removed', recipient: user.email, data, now })
    }
    const opened = { userId, amrs: [WALLET_AMR], exceptId: sessionId }
    return deps.sessions.endOpenedBy(trx, opened, { at: now, reason: 'sign_in_removed' })
  })
  for (const id of ended) deps.caches.sessions.delete(id)
  await deps.onAccountChanged(userId)
  deps.post.wake()
}
