/** `svc audit monitor` with e-mail, without the other commands: `npm run monitor -- --help`. */

import { setTimeout as pause } from 'node:timers/promises'
import { renderMonitorUsage } from '../cli/monitor/renderMonitorUsage.ts'
import { runMonitorCommand } from '../cli/monitor/runMonitorCommand.ts'
import { NotSignedIn } from '../cli/session/notSignedIn.ts'
import { openTerminal } from '../cli/terminal/openTerminal.ts'
import { UsageError } from '../cli/terminal/usageError.ts'
import { readSettingFiles } from '../server/config/readSettingFiles.ts'
import { createMailer } from '../server/external/outbound/mailer.ts'

const args = process.argv.slice(2)
const terminal = openTerminal(process)

/** The mailer of the service, with its settings; null without a mail server. */
function openMailer() {
  const { SMTP_URL, MAIL_FROM } = readSettingFiles(process.env)
  if (!SMTP_URL) return null
  return createMailer({
    smtpUrl: SMTP_URL,
    from: MAIL_FROM || 'no-reply@localhost',
    folder: '',
    log: { info: () => undefined },
  })
}

async function run(): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    terminal.out(renderMonitorUsage('npm run monitor --'))
    return 0
  }
  const mailer = openMailer()
  try {
    return await runMonitorCommand(args, {
      ...terminal,
      signal: terminal.signal,
      env: process.env,
      pause: (ms, signal) => pause(ms, undefined, { signal }).catch(() => undefined),
      limit: (ms) => AbortSignal.timeout(ms),
      sendMail: mailer === null ? null : (mail) => mailer.send(mail),
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
