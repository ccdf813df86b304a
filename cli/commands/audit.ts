import { renderAuditUsage } from '../audit/renderAuditUsage.ts'
import { runAuditCommand } from '../audit/runAuditCommand.ts'
import { UsageError } from '../terminal/usageError.ts'
import type { Command } from './command.ts'

const NAME = 'svc audit verify'

/** `svc audit verify`: needs no account, because it trusts only the chain. */
export const audit: Command = {
  summary: 'audit verify: checks records against the chain, without trusting the service',
  usage: renderAuditUsage(NAME),

  async run([subcommand, ...args], terminal) {
    if (subcommand !== 'verify')
      throw new UsageError(`Unknown command "audit ${subcommand ?? ''}": try ${NAME}.`)
    return await runAuditCommand(args, terminal, NAME)
  },
}
