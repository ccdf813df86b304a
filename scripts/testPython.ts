import { spawnSync } from 'node:child_process'
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { pythonCommand } from './python/pythonCommand.ts'

const FOLDER = join(import.meta.dirname, '../clients/python')
const MILLISECONDS_MAX = 60_000

/**
 * Runs the tests of the Python client: `npm run test:python`. Its dependencies, `httpx` and `cryptography`, have to be
 * installed; `PYTHON` names an interpreter other than the system's.
 *
 * The counts are printed as mocha prints them, followed by what the tests wrote. A failure is added to the file that
 * `FAILED_FILES` names.
 */
function testPython(): boolean {
  const { status, stderr, error } = spawnSync(
    pythonCommand(),
    ['-W', 'error', '-m', 'unittest', 'discover', '-t', '.', '-s', 'tests'],
    {
      cwd: FOLDER,
      env: { ...process.env, PYTHONPATH: 'src', PYTHONDONTWRITEBYTECODE: '1' },
      ...{ encoding: 'utf8', timeout: MILLISECONDS_MAX },
    },
  )
  const output = error === undefined ? stderr : `${stderr}\n${error.message}`
  const ran = Number(/^Ran (\d+) tests?/m.exec(output)?.[1] ?? 0)
  const [, outcome = ''] = /^FAILED \((.*)\)$/m.exec(output) ?? []
  const reported = [...outcome.matchAll(/(?:failures|errors|unexpected successes)=(\d+)/g)]
  const skipped = Number(/skipped=(\d+)/.exec(output)?.[1] ?? 0)
  const failed = reported.reduce((sum, [, count]) => sum + Number(count), 0)
  const isPassed = status === 0 && ran > 0
  // A test with several failing cases counts once for each.
  console.log(`\n  ${Math.max(0, ran - failed - skipped)} passing`)
  if (isPassed) return true
  console.log(`  ${Math.max(1, failed)} failing\n\n${output}`)
  const { FAILED_FILES: report } = process.env
  if (report !== undefined) appendFileSync(report, 'the Python tests\n')
  return false
}

process.exitCode = testPython() ? 0 : 1
