/**
 * Checks audit records against the chain alone, with nothing of the service that wrote them but their proofs:
 * `npm run verify-audit -- --help`.
 *
 * Ends with 0 when everything it was given is proven, else with 1 and a sentence that says what is not.
 */
import { parseAuditArguments, USAGE } from './audit/auditArguments.ts'
import { auditReport } from './audit/auditReport.ts'
import { runAudit } from './audit/runAudit.ts'

const parsed = parseAuditArguments(process.argv.slice(2))
if (parsed.kind === 'help') {
  console.log(USAGE)
} else if (parsed.kind === 'mistake') {
  console.error(`${parsed.message}\n\n${USAGE}`)
  process.exitCode = 1
} else {
  const report = auditReport((line) => console.log(line), process.stdout.isTTY === true)
  process.exitCode = (await runAudit(parsed.arguments, report)) ? 0 : 1
}
