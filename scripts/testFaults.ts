import { execFileSync, spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type FaultResult, faultResults } from './faults/faultResults.ts'
import type { FaultRow } from './faults/faultRow.ts'
import { FAULT_ROWS } from './faults/faultRows.ts'

const ROOT = join(import.meta.dirname, '..')

const USAGE = `npm run test:faults [-- [--full] [row numbers]]

Runs the tests of each fault, stores their results in docs/reliability.json and generates docs/reliability.md from it.`

/**
 * Runs the rows one after another, so that no measurement disturbs another.
 *
 * Results are stored after each row, so that an interrupted run has stored the rows before.
 *
 * @returns The exit code: 1 if a row fails.
 */
function testFaults(words: readonly string[]): number {
  const form = words.includes('--full') ? 'full' : 'short'
  const wanted = words.filter((word) => word !== '--full').map(Number)
  if (wanted.some((number) => FAULT_ROWS.every((row) => row.number !== number))) {
    console.error(USAGE)
    return 2
  }
  const rows = FAULT_ROWS.filter((row) => wanted.length === 0 || wanted.includes(row.number))
  let failed = 0
  for (const row of rows) {
    const result = run(row, form)
    if (result === null) {
      console.log(`${row.number}  no test yet`)
      continue
    }
    const { figures, passing, failing, pending, seconds } = result
    console.log(
      `${row.number}  ${passing} passing, ${failing} failing, ${pending} pending, ${seconds} s\n    ${figures.join('\n    ')}`,
    )
    if (failing > 0) {
      failed += 1
      continue
    }
    const results = faultResults.read()
    faultResults.write({ ...results, [row.number]: { ...results[row.number], [form]: result } })
  }
  execFileSync(process.execPath, [join(ROOT, 'scripts/generateDocs.ts')], { stdio: 'inherit' })
  return failed === 0 ? 0 : 1
}

/** Runs the tests of one row in a separate process; returns null if there are none. */
function run({ number, tests }: FaultRow, form: 'short' | 'full'): FaultResult | null {
  const files = tests.flatMap((pattern) => globSync(pattern, { cwd: ROOT }))
  if (files.length === 0) return null
  const folder = mkdtempSync(join(tmpdir(), 'svc-faults-'))
  const [figuresFile, reportFile] = [join(folder, 'figures'), join(folder, 'report.json')]
  const begin = performance.now()
  const mocha = join(ROOT, 'node_modules/mocha/bin/mocha.js')
  const reporter = ['--reporter', 'json', '--reporter-option', `output=${reportFile}`]
  // What a failed test left running would keep mocha from ending.
  const ended = spawnSync(process.execPath, [mocha, '--exit', ...reporter, ...files], {
    cwd: ROOT,
    env: { ...process.env, FAULTS: form, FAULT_ROW: String(number), FAULT_FIGURES: figuresFile },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  try {
    const report = JSON.parse(readIfPresent(reportFile) || '{"stats":{},"failures":[]}') as {
      stats: { passes?: number; failures?: number; pending?: number }
      failures: { fullTitle: string; err: { message?: string } }[]
    }
    for (const { fullTitle, err } of report.failures)
      console.error(`    failing: ${fullTitle}\n      ${err.message}`)
    const { passes = 0, failures = 0, pending = 0 } = report.stats
    return {
      figures: readIfPresent(figuresFile).split('\n').filter(Boolean),
      passing: passes,
      // A run that did not finish has failed, whatever it had counted by then.
      failing: ended.status === 0 ? 0 : Math.max(failures, 1),
      pending,
      seconds: Math.round((performance.now() - begin) / 1000),
      date: new Date().toISOString().slice(0, 10),
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function readIfPresent(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

process.exitCode = testFaults(process.argv.slice(2))
