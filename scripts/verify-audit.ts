/**
 * Checks audit records against only the chain and their proofs, without trusting the service that wrote them:
 * `npm run verify-audit -- --help`.
 *
 * Exits with 0 if everything it was given is proven, with 1 and a message if something is not, and with 2 if the check
 * could not be done.
 */

import { AUDIT_USAGE } from './audit/auditUsage.ts'
import { createJsonReport } from './audit/createJsonReport.ts'
import { createTextReport } from './audit/createTextReport.ts'
import { parseAuditArguments } from './audit/parseAuditArguments.ts'
import { runAudit } from './audit/runAudit.ts'

const EXIT_CODES = { proven: 0, refuted: 1, unchecked: 2 } as const

const parsed = parseAuditArguments(process.argv.slice(2))
if (parsed.kind === 'help') {
  console.log(AUDIT_USAGE)
} else if (parsed.kind === 'mistake') {
  console.error(`${parsed.message}\n\n${AUDIT_USAGE}`)
  process.exitCode = EXIT_CODES.unchecked
} else {
  const write = (text: string) => console.log(text)
  const report = parsed.arguments.isJson
    ? createJsonReport(write)
    : createTextReport(write, process.stdout.isTTY === true)
  process.exitCode = EXIT_CODES[await runAudit(parsed.arguments, report)]
}
