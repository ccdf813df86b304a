import type { Mailer } from '../../external/mailer.ts'
import type { ClaimedMail, MailOutboxStore } from '../../store/accounts/mailOutboxStore.ts'
import type { Db } from '../../store/database/database.ts'
import type { MailData, MailTemplate } from './mailTemplates.ts'
import { renderMail } from './renderMail.ts'

/** Mails taken at once; they go out side by side. */
const CLAIM_MAX = 10
/** Longer than a mail server may take, so that a claim runs out only when its process has died. */
const CLAIM_MS = 120_000
const ATTEMPTS_MAX = 8
const RETRY_FIRST_MS = 10_000
const RETRY_LONGEST_MS = 3_600_000

export type SendMailsDeps = {
  db: Pick<Db, 'transaction'>
  outbox: MailOutboxStore
  mailer: Mailer
  clock: () => number
  randomBytes: (length: number) => Uint8Array
  log: { warn(fields: object, message: string): void }
}

/**
 * One round of the outbox: claims what is due, sends it and settles each mail; answers how many it took.
 *
 * A mail that could not be handed over is tried again after 10 s, twice as long each time with up to half of it by
 * chance, and given up after eight tries or when it has lost its use.
 */
export async function sendMails(deps: SendMailsDeps): Promise<number> {
  const now = deps.clock()
  const mails = await deps.db.transaction((trx) =>
    deps.outbox.claim(trx, { now, until: now + CLAIM_MS, limit: CLAIM_MAX }),
  )
  await Promise.all(mails.map((mail) => sendOne(deps, mail)))
  return mails.length
}

async function sendOne(deps: SendMailsDeps, mail: ClaimedMail): Promise<void> {
  const { db, outbox, clock } = deps
  const now = clock()
  if (mail.expiresAt !== null && mail.expiresAt <= now) {
    await db.transaction((trx) => outbox.settle(trx, mail.id, { status: 'failed', error: 'expired', now }))
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
  await db.transaction((trx) => outbox.settle(trx, mail.id, { status: 'sent', error: null, now: sentAt }))
}

async function postpone(deps: SendMailsDeps, mail: ClaimedMail, thrown: unknown): Promise<void> {
  const { db, outbox, log } = deps
  const now = deps.clock()
  const error = thrown instanceof Error ? thrown.message : String(thrown)
  log.warn({ mail: mail.key, attempts: mail.attempts, err: thrown }, 'a mail could not be sent')
  await db.transaction((trx) =>
    mail.attempts >= ATTEMPTS_MAX
      ? outbox.settle(trx, mail.id, { status: 'failed', error, now })
      : outbox.retryAt(trx, mail.id, { nextAttemptAt: now + retryMs(deps, mail.attempts), error }),
  )
}

function retryMs(deps: SendMailsDeps, attempts: number): number {
  const longest = Math.min(RETRY_LONGEST_MS, RETRY_FIRST_MS * 2 ** (attempts - 1))
  const chance = (deps.randomBytes(1)[0] ?? 0) / 255
  return Math.round(longest * (1 - chance / 2))
}
