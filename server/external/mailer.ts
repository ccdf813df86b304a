import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport, type SendMailOptions } from 'nodemailer'

/** A mail as it goes out. */
type OutgoingMail = {
  /** Unique and the same at every try, so that a receiving server can tell a repetition. */
  id: string
  to: string
  subject: string
  text: string
  html: string
}

export type Mailer = {
  /** @throws Error when it was not handed over. */
  send(mail: OutgoingMail): Promise<void>
  close(): void
}

type MailerOptions = {
  /** `smtp://` or `smtps://` address with its credentials; undefined writes files. */
  smtpUrl: string | undefined
  from: string
  /** Where mails are written when there is no server. */
  folder: string
  log: { info(fields: object, message: string): void }
}

/** Longest a step of the conversation with a mail server may take. */
const SMTP_TIMEOUT_MS = 10_000

/** Nothing that is written into a mail may read a file or fetch an address. */
const NO_REFERENCES = { disableFileAccess: true, disableUrlAccess: true }

/**
 * The way out for mails: to a server by SMTP, or, with none configured, into a folder of `.eml` files that only their
 * owner reads, with a line in the log for each. Source: api.md "Configuration" (`SMTP_URL`).
 */
export function createMailer(options: MailerOptions): Mailer {
  return options.smtpUrl === undefined ? fileMailer(options) : smtpMailer(options.smtpUrl, options.from)
}

function smtpMailer(url: string, from: string): Mailer {
  const transport = createTransport({
    url,
    connectionTimeout: SMTP_TIMEOUT_MS,
    greetingTimeout: SMTP_TIMEOUT_MS,
    socketTimeout: SMTP_TIMEOUT_MS,
    ...NO_REFERENCES,
  })
  return {
    async send(mail) {
      await transport.sendMail(messageOf(mail, from))
    },
    close: () => transport.close(),
  }
}

function fileMailer({ folder, from, log }: MailerOptions): Mailer {
  const transport = createTransport({ streamTransport: true, buffer: true, ...NO_REFERENCES })
  return {
    async send(mail) {
      const { message } = await transport.sendMail(messageOf(mail, from))
      const file = join(folder, `${plainId(mail)}.eml`)
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await writeFile(`${file}.tmp`, message as Buffer, { mode: 0o600 })
      await rename(`${file}.tmp`, file)
      log.info({ file, subject: mail.subject }, 'a mail was written')
    },
    close: () => transport.close(),
  }
}

/** The address is given as an object, because a text could name several. */
function messageOf(mail: OutgoingMail, from: string): SendMailOptions {
  return {
    messageId: `<${plainId(mail)}@svc>`,
    from,
    to: { name: '', address: mail.to },
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    headers: { 'Auto-Submitted': 'auto-generated' },
  }
}

/** Fit for a file's name and for the left side of a message id. */
function plainId({ id }: OutgoingMail): string {
  return id.replace(/[^\w-]/g, '.')
}
