import type { UserStore } from '../../store/accounts/userStore.ts'
import { type Post, postMail } from './postMail.ts'

export type TellOfNewSignInDeps = { users: Pick<UserStore, 'byId'>; post: Post }

export type TellOfNewSignInInput = { userId: string; walletAddress: string | null; now: number }

/**
 * Writes to an account's owner that a passkey or a wallet signs in to it from now on: the first one takes no more than a
 * session, which may have been stolen, and outlives it. Without an address there is nobody to write to.
 */
export async function tellOfNewSignIn(
  deps: TellOfNewSignInDeps,
  trx: Parameters<Post['outbox']['add']>[0],
  { userId, walletAddress, now }: TellOfNewSignInInput,
): Promise<void> {
  const user = await deps.users.byId(userId, trx)
  if (!user || user.email === null) return
  const data = { walletAddress, link: `${deps.post.appUrl}/account` }
  await postMail(deps.post, trx, { template: 'sign_in_added', recipient: user.email, data, now })
}
