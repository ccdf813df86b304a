/** `svc audit verify`, without the other commands: `npm run verify-audit -- --help`. */

import { runAuditCommand } from '../cli/audit/runAuditCommand.ts'

const output = {
  out: (line: string) => console.log(line),
  err: (line: string) => console.error(line),
  isTerminal: process.stdout.isTTY === true,
}
process.exitCode = await runAuditCommand(process.argv.slice(2), output, 'npm run verify-audit --')
