import type { Mailer } from '../../external/outbound/mailer.ts'
import type { ClaimedMail, MailOutboxStore } from '../../store/accounts/mailOutboxStore.ts'
import type { Db } from '../../store/database/database.ts'
import { describeMailFailure } from './describeMailFailure.ts'
import { MAIL_TEMPLATES, type MailData, type MailTemplate } from './mailTemplates.ts'
import { renderMail } from './renderMail.ts'

/** Mails claimed at a time and sent in parallel. */
const CLAIM_MAX = 10
/** Longer than any delivery may take, so that a claim expires only if its process has died. */
const CLAIM_MS = 120_000
const ATTEMPTS_MAX = 8
const RETRY_FIRST_MS = 10_000
const RETRY_LONGEST_MS = 3_600_000
const TEMPLATES = Object.keys(MAIL_TEMPLATES)

export type SendMailsDeps = {
  db: Pick<Db, 'transaction'>
  outbox: MailOutboxStore
  mailer: Mailer
  clock: () => number
  randomBytes: (length: number) => Uint8Array
  log: { warn(fields: object, message: string): void }
}

/**
 * Claims the due mails of the outbox, sends them and settles each one; returns how many it claimed.
 *
 * A failed delivery is retried with jittered exponential back-off starting at 10 s, and abandoned after eight attempts,
 * when the server permanently rejects the recipient, or when the mail has expired. Mails that only a later release can fill
 * in are left to its processes, beside which this one may run.
 */
export async function sendMails(deps: SendMailsDeps): Promise<number> {
  const now = deps.clock()
  const mails = await deps.db.transaction(
    (trx) => deps.outbox.claim(trx, { now, until: now + CLAIM_MS, limit: CLAIM_MAX, templates: TEMPLATES }),
    ['job mails'],
  )
  await Promise.all(mails.map((mail) => sendOne(deps, mail)))
  return mails.length
}

async function sendOne(deps: SendMailsDeps, mail: ClaimedMail): Promise<void> {
  const { db, outbox, clock } = deps
  const now = clock()
  if (mail.expiresAt !== null && mail.expiresAt <= now) {
    await db.transaction(
      (trx) => outbox.settle(trx, mail.id, { status: 'failed', error: 'expired', now }),
      [],
    )
    return
  }
  try {
    const template = mail.template as MailTemplate
    const rendered = renderMail(template, mail.data as MailData[MailTemplate], now)
    await deps.mailer.send({ id: mail.key, to: mail.recipient, ...rendered })
  } catch (error) {
    await postpone(deps, mail, error)
    return
  }
  const sentAt = clock()
  await db.transaction((trx) => outbox.settle(trx, mail.id, { status: 'sent', error: null, now: sentAt }), [])
}

async function postpone(deps: SendMailsDeps, mail: ClaimedMail, thrown: unknown): Promise<void> {
  const { db, outbox, log } = deps
  const now = deps.clock()
  const { error, fields, isFinal } = describeMailFailure(thrown)
  log.warn({ mail: mail.key, attempts: mail.attempts, ...fields }, `a mail could not be sent: ${error}`)
  await db.transaction(
    (trx) =>
      isFinal || mail.attempts >= ATTEMPTS_MAX
        ? outbox.settle(trx, mail.id, { status: 'failed', error, now })
        : outbox.retryAt(trx, mail.id, { nextAttemptAt: now + computeRetryMs(deps, mail.attempts), error }),
    [],
  )
}

function computeRetryMs(deps: SendMailsDeps, attempts: number): number {
  const longest = Math.min(RETRY_LONGEST_MS, RETRY_FIRST_MS * 2 ** (attempts - 1))
  const random = (deps.randomBytes(1)[0] ?? 0) / 255
  return Math.round(longest * (1 - random / 2))
}
