import type { UserStore } from '../../store/accounts/userStore.ts'
import { type Post, postMail } from './postMail.ts'

export type NotifyNewSignInDeps = { users: Pick<UserStore, 'byId'>; post: Post }

export type NotifyNewSignInInput = { userId: string; walletAddress: string | null; now: number }

/**
 * Notifies the owner of an account of a new passkey or wallet. Adding the first one requires only a session, which may be
 * stolen, and the new credential outlives it. An account without an e-mail address is not notified.
 */
export async function notifyNewSignIn(
  deps: NotifyNewSignInDeps,
  trx: Parameters<Post['outbox']['add']>[0],
  { userId, walletAddress, now }: NotifyNewSignInInput,
): Promise<void> {
  const user = await deps.users.byId(userId, trx)
  if (!user || user.email === null) return
  const data = { walletAddress, link: `${deps.post.appUrl}/account` }
  await postMail(deps.post, trx, { template: 'sign_in_added', recipient: user.email, data, now })
}
