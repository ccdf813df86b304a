import { createJsonReport } from './createJsonReport.ts'
import { createTextReport } from './createTextReport.ts'
import { parseAuditArguments } from './parseAuditArguments.ts'
import { renderAuditUsage } from './renderAuditUsage.ts'
import { runAudit } from './runAudit.ts'

type Output = { out(line: string): void; err(line: string): void; isTerminal: boolean }

const EXIT_CODES = { proven: 0, refuted: 1, unchecked: 2 } as const

/**
 * Checks audit records against only the chain and their proofs, without trusting the service that wrote them.
 *
 * @param command How it was called, for its usage text.
 * @returns 0 if everything it was given is proven, 1 if something is not, and 2 if the check could not be done.
 */
export async function runAuditCommand(
  args: readonly string[],
  { out, err, isTerminal }: Output,
  command: string,
): Promise<number> {
  const parsed = parseAuditArguments([...args])
  switch (parsed.kind) {
    case 'help':
      out(renderAuditUsage(command))
      return 0
    case 'mistake':
      err(
        args.includes('--json')
          ? JSON.stringify({ error: { code: 'USAGE', message: parsed.message } })
          : `${parsed.message}\n\n${renderAuditUsage(command)}`,
      )
      return EXIT_CODES.unchecked
    case 'arguments': {
      const report = parsed.arguments.isJson ? createJsonReport(out) : createTextReport(out, isTerminal)
      return EXIT_CODES[await runAudit(parsed.arguments, report)]
    }
  }
}
