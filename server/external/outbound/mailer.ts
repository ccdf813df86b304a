import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { createTransport, SendMailOptions } from 'nodemailer'

/** A mail ready to send. */
type OutgoingMail = {
  /** Unique, and the same in every attempt, so that a receiving server can recognise duplicates. */
  id: string
  to: string
  subject: string
  text: string
  html: string
}

export type Mailer = {
  /** @throws Error when the mail was not delivered to the server or file. */
  send(mail: OutgoingMail): Promise<void>
  close(): void
}

type MailerOptions = {
  /** `smtp://` or `smtps://` URL with credentials; undefined writes files instead. */
  smtpUrl: string | undefined
  from: string
  /** Where mails are written without a server. */
  folder: string
  log: { info(fields: object, message: string): void }
}

/** Time limit of each step of an SMTP session. */
const SMTP_TIMEOUT_MS = 10_000

/** The content of a mail must never read a file or fetch a URL. */
const NO_REFERENCES = { disableFileAccess: true, disableUrlAccess: true }

/**
 * Creates the mailer. It sends by SMTP or, without a configured server, writes `.eml` files that only their owner can read
 * and logs a line for each.
 */
export function createMailer(options: MailerOptions): Mailer {
  return options.smtpUrl === undefined
    ? createFileMailer(options)
    : createSmtpMailer(options.smtpUrl, options.from)
}

function createSmtpMailer(url: string, from: string): Mailer {
  const { open, close } = createLazyTransport({
    url,
    connectionTimeout: SMTP_TIMEOUT_MS,
    greetingTimeout: SMTP_TIMEOUT_MS,
    socketTimeout: SMTP_TIMEOUT_MS,
    ...NO_REFERENCES,
  })
  return {
    async send(mail) {
      await (await open()).sendMail(buildMessage(mail, from))
    },
    close,
  }
}

function createFileMailer({ folder, from, log }: MailerOptions): Mailer {
  const { open, close } = createLazyTransport({ streamTransport: true, buffer: true, ...NO_REFERENCES })
  return {
    async send(mail) {
      const { message } = await (await open()).sendMail(buildMessage(mail, from))
      const file = join(folder, `${sanitiseId(mail)}.eml`)
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await writeFile(`${file}.tmp`, message as Buffer, { mode: 0o600 })
      await rename(`${file}.tmp`, file)
      log.info({ file, subject: mail.subject }, 'wrote a mail')
    },
    close,
  }
}

/** Loads the library for the first mail, because a start does not need it. */
function createLazyTransport(options: Parameters<typeof createTransport>[0]) {
  let transport: ReturnType<typeof createTransport> | null = null
  return {
    async open() {
      const { createTransport } = await import('nodemailer')
      transport ??= createTransport(options)
      return transport
    },
    close: () => transport?.close(),
  }
}

/** The recipient is an object, because a string could name several. */
function buildMessage(mail: OutgoingMail, from: string): SendMailOptions {
  return {
    messageId: `<${sanitiseId(mail)}@svc>`,
    from,
    to: { name: '', address: mail.to },
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    headers: { 'Auto-Submitted': 'auto-generated' },
  }
}

/** Makes the id safe as a file name and as the left part of a Message-ID. */
function sanitiseId({ id }: OutgoingMail): string {
  return id.replace(/[^\w-]/g, '.')
}
