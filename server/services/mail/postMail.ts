import { generateUuidV7 } from '@svc/core/ids/uuids.ts'
import type { MailOutboxStore } from '../../store/accounts/mailOutboxStore.ts'
import type { MailData, MailTemplate } from './mailTemplates.ts'

export type Post = {
  outbox: Pick<MailOutboxStore, 'add'>
  /** Address of the dashboard, where links lead. */
  appUrl: string
  randomBytes: (length: number) => Uint8Array
  /** Tells the worker, after the commit, that there is something to send. */
  wake(): void
}

export type PostedMail<Template extends MailTemplate> = {
  template: Template
  recipient: string
  data: MailData[Template]
  now: number
  /** From when on it is of no use; left out when it always is. */
  expiresAt?: number
  /** Names the mail, so that posting it twice sends once; left out when it is one of its own. */
  key?: string
}

/** Puts a mail into the outbox with what it tells of, in one transaction; `wake` follows the commit. */
export async function postMail<Template extends MailTemplate>(
  post: Post,
  trx: Parameters<MailOutboxStore['add']>[0],
  mail: PostedMail<Template>,
): Promise<void> {
  const { template, now, expiresAt = null } = mail
  const key = mail.key ?? `${template}.${generateUuidV7(now, post.randomBytes(10))}`
  await post.outbox.add(trx, { ...mail, key, expiresAt })
}
