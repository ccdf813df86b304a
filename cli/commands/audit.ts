import { setTimeout as pause } from 'node:timers/promises'
import { renderAuditUsage } from '../audit/renderAuditUsage.ts'
import { runAuditCommand } from '../audit/runAuditCommand.ts'
import { renderMonitorUsage } from '../monitor/renderMonitorUsage.ts'
import { runMonitorCommand } from '../monitor/runMonitorCommand.ts'
import { UsageError } from '../terminal/usageError.ts'
import type { Command } from './command.ts'

const VERIFY = 'svc audit verify'
const MONITOR = 'svc audit monitor'

/** `svc audit verify` needs no account, because it trusts only the chain; `svc audit monitor` follows a log. */
export const audit: Command = {
  summary: 'audit verify, audit monitor: checks records against the chain, and follows the audit logs',
  usage: `${renderAuditUsage(VERIFY)}\n\n${renderMonitorUsage(MONITOR)}`,

  async run([subcommand, ...args], terminal) {
    if (subcommand === 'verify') return await runAuditCommand(args, terminal, VERIFY)
    if (subcommand === undefined) throw new UsageError(`Add what to do: ${VERIFY}, or ${MONITOR}.`)
    if (subcommand !== 'monitor')
      throw new UsageError(`Unknown command "audit ${subcommand}": try ${VERIFY} or ${MONITOR}.`)
    return await runMonitorCommand(args, {
      ...terminal,
      signal: terminal.signal,
      env: process.env,
      pause: (ms, signal) => pause(ms, undefined, { signal }).catch(() => undefined),
      limit: (ms) => AbortSignal.timeout(ms),
      sendMail: null,
    })
  },
}
