import { generateUuidV7 } from '@svc/core/ids/uuids.ts'
import type { MailOutboxStore } from '../../store/accounts/mailOutboxStore.ts'
import type { UserStore } from '../../store/accounts/userStore.ts'
import type { MailData, MailTemplate } from './mailTemplates.ts'

export type Post = {
  outbox: Pick<MailOutboxStore, 'add'>
  /** Base URL of the dashboard, for links. */
  appUrl: string
  randomBytes: (length: number) => Uint8Array
  /** Notifies the worker after the commit that there is mail to send. */
  wake(): void
}

export type PostedMail<Template extends MailTemplate> = {
  template: Template
  recipient: string
  data: MailData[Template]
  now: number
  /** Do not send after this time; absent if the mail does not expire. */
  expiresAt?: number
  /** Deduplication key: a mail posted twice under the same key is sent once. Random by default. */
  key?: string
}

/** Adds a mail to the outbox in the transaction of the change that it reports; call `wake` after the commit. */
export async function postMail<Template extends MailTemplate>(
  post: Post,
  trx: Parameters<MailOutboxStore['add']>[0],
  mail: PostedMail<Template>,
): Promise<void> {
  const { template, now, expiresAt = null } = mail
  const key = mail.key ?? `${template}.${generateUuidV7(now, post.randomBytes(10))}`
  await post.outbox.add(trx, { ...mail, key, expiresAt })
}

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
