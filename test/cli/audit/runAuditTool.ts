import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { createTextReport } from '../../../cli/audit/createTextReport.ts'
import { parseAuditArguments } from '../../../cli/audit/parseAuditArguments.ts'
import { runAudit } from '../../../cli/audit/runAudit.ts'

const TOOL = join(import.meta.dirname, '../../../scripts/verifyAudit.ts')

/** Runs the tool as its entry point does, in this process. */
export async function runAuditTool(...args: string[]): Promise<{ code: number; output: string }> {
  const lines: string[] = []
  const parsed = parseAuditArguments(args)
  if (parsed.kind !== 'arguments') throw new Error(`not a command: ${args.join(' ')}`)
  const report = createTextReport((line) => lines.push(line), false)
  const code = { proven: 0, refuted: 1, unchecked: 2 }[await runAudit(parsed.arguments, report)]
  return { code, output: lines.join('\n') }
}

/** Runs the tool in a process of its own. */
export function spawnAuditTool(...args: string[]): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [TOOL, ...args], (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), output: stdout + stderr })
    })
  })
}
