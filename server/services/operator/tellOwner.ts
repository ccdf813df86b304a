import type { Alert, AlertStore } from '../../store/approvals/alertStore.ts'
import { buildAlert } from '../alerts/createRaiseAlert.ts'
import type { MailData } from '../mail/mailTemplates.ts'
import { type Post, postMail } from '../mail/postMail.ts'

export type TellOwnerDeps = {
  alerts: Pick<AlertStore, 'raise'>
  post: Post
}

type Template = 'account_standing' | 'organization_standing' | 'endpoint_released'

export type OwnersNotice<Kind extends Template> = {
  ownerId: string
  /** Type of the event. */
  code: string
  /** The record of the event, so that each event gets its own alert. */
  recordId: string
  /** Public identifiers of the subject, and the reason. */
  data: Alert['data']
  recipients: readonly string[]
  template: Kind
  mail: MailData[Kind]
  now: number
}

/** Tells an owner by alert and e-mail what an operator did, in the transaction that does it; call `post.wake` afterwards. */
export async function tellOwner<Kind extends Template>(
  { alerts, post }: TellOwnerDeps,
  trx: Parameters<Post['outbox']['add']>[0],
  { ownerId, code, recordId, data, recipients, template, mail, now }: OwnersNotice<Kind>,
): Promise<void> {
  const alert = { ownerId, code, severity: 'critical' as const, subject: recordId, data }
  await alerts.raise(buildAlert(alert, { now, randomBytes: post.randomBytes }), trx)
  for (const recipient of recipients) await postMail(post, trx, { template, recipient, data: mail, now })
}
