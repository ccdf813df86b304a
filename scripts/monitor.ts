/** `svc audit monitor` with e-mail, without the other commands: `npm run monitor -- --help`. */

import { setTimeout as pause } from 'node:timers/promises'
import { renderMonitorUsage } from '../cli/monitor/renderMonitorUsage.ts'
import { runMonitorCommand } from '../cli/monitor/runMonitorCommand.ts'
import { NotSignedIn } from '../cli/session/notSignedIn.ts'
import { openTerminal } from '../cli/terminal/openTerminal.ts'
import { UsageError } from '../cli/terminal/usageError.ts'
import { type Config, readConfig } from '../server/config.ts'
import { createMailer } from '../server/external/outbound/mailer.ts'

const args = process.argv.slice(2)
const terminal = openTerminal(process)

/** The mailer of the service, with its settings; null without a mail server. */
function openMailer() {
  const { smtpUrl, from } = readMailSettings()
  if (smtpUrl === undefined) return null
  return createMailer({ smtpUrl, from, folder: '', log: { info: () => undefined } })
}

/** Reads them as the service does, and none of its other settings. @throws UsageError that names the setting. */
function readMailSettings(): Config['mail'] {
  const { SMTP_URL, SMTP_URL_FILE, MAIL_FROM, MAIL_FROM_FILE } = process.env
  try {
    return readConfig({ SMTP_URL, SMTP_URL_FILE, MAIL_FROM, MAIL_FROM_FILE }).mail
  } catch (cause) {
    throw new UsageError(cause instanceof Error ? cause.message : String(cause), { cause })
  }
}

async function run(): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    terminal.out(renderMonitorUsage('npm run monitor --'))
    return 0
  }
  let mailer: ReturnType<typeof openMailer> = null
  try {
    mailer = openMailer()
    return await runMonitorCommand(args, {
      ...terminal,
      signal: terminal.signal,
      env: process.env,
      pause: (ms, signal) => pause(ms, undefined, { signal }).catch(() => undefined),
      limit: (ms) => AbortSignal.timeout(ms),
      sendMail: mailer?.send ?? null,
    })
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof NotSignedIn)) throw error
    terminal.err(`${error.message}\nTry "npm run monitor -- --help".`)
    return 2
  } finally {
    mailer?.close()
  }
}

process.exitCode = await run()
terminal.close()
