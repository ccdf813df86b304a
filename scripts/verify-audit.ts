/**
 * Checks audit records against the chain alone, with nothing of the service that wrote them but their proofs:
 * `npm run verify-audit -- --help`.
 *
 * Ends with 0 when everything it was given is proven, with 1 and a sentence when something is not, and with 2 when it
 * could not be checked.
 */
import { parseAuditArguments } from './audit/auditArguments.ts'
import { auditReport } from './audit/auditReport.ts'
import { AUDIT_USAGE } from './audit/auditUsage.ts'
import { jsonReport } from './audit/jsonReport.ts'
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
    ? jsonReport(write)
    : auditReport(write, process.stdout.isTTY === true)
  process.exitCode = EXIT_CODES[await runAudit(parsed.arguments, report)]
}
