import { spawnSync } from 'node:child_process'
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chooseFiles, findUncalled, type PostgresTests, readCoverage } from './postgres/storeFunctions.ts'

const ROOT = join(import.meta.dirname, '..')
const MOCHA = join(ROOT, 'node_modules/mocha/bin/mocha.js')
const LIST = join(ROOT, 'scripts/postgres/tests.json')
const JOBS = '3'

/** All tests that can run on another database; the others need none, or ten minutes. */
const ALL = [
  ...['--ignore', 'test/server/{external,middleware}/**'],
  ...['--ignore', 'test/faults/{kill,power,failing,full,busy,drain,overload,soak,unreachableChainUnder}*'],
  'test/{server,faults,fuzz,processes}/**/*.test.ts',
]

/** Whether a test is about the SQL itself, about several processes, or about PostgreSQL: it imports what only those need. */
const isDue = (file: string) =>
  /^test\/(server\/store|processes)\//.test(file) ||
  /\/(postgres|queryPostgres|testedDatabase)\.ts'/.test(readFileSync(join(ROOT, file), 'utf8'))

/**
 * Runs the server's tests on PostgreSQL: `npm run test:postgres`. Most statements are the same for both databases, so it runs
 * only the test files of `scripts/postgres/tests.json`, which together call every function of the store, and fails if
 * there is one that they do not call. `--all` runs all files, and `--choose` chooses those of the list from them again.
 *
 * @returns The exit code.
 */
function testPostgres(args: readonly string[]): number {
  const folder = mkdtempSync(join(tmpdir(), 'svc-postgres-tests-'))
  const report = join(folder, 'coverage')
  try {
    const listed = JSON.parse(readFileSync(LIST, 'utf8')) as PostgresTests
    const isChoosing = args.includes('--choose')
    const isWhole = isChoosing || args.includes('--all')
    const others = args.filter((arg) => arg !== '--choose' && arg !== '--all')
    const status = runMocha([...(isWhole ? ALL : listed.files), ...others], report)
    if (!existsSync(report)) return status
    const coverage = readCoverage(report)
    const uncalled = findUncalled(coverage)
    if (isChoosing && status === 0) {
      const chosen: PostgresTests = { files: chooseFiles(coverage, isDue), notCalled: uncalled }
      writeFileSync(LIST, `${JSON.stringify(chosen, null, 2)}\n`)
      return 0
    }
    const missing = uncalled.filter((name) => !listed.notCalled.includes(name))
    if (status !== 0 || missing.length === 0) return status
    reportMissing(missing)
    return 1
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function runMocha(args: readonly string[], report: string): number {
  const observe = ['--require', './test/harness/runner/storeCoverage.ts']
  const { status } = spawnSync(
    process.execPath,
    [MOCHA, ...observe, '--parallel', '--jobs', JOBS, '--forbid-only', ...args],
    {
      cwd: ROOT,
      stdio: 'inherit',
      env: { ...process.env, TEST_DATABASE: 'postgres', STORE_COVERAGE: report },
    },
  )
  return status ?? 1
}

/** Counts as one failed test in the sums of `.ci/run`. */
function reportMissing(missing: readonly string[]): void {
  const lines = missing.map((name) => `       ${name}`).join('\n')
  const advice =
    'Add a test file that does to scripts/postgres/tests.json, or run: npm run test:postgres -- --choose'
  console.log(
    `\n  1 failing\n\n  1) these functions of the store are called by no test on PostgreSQL:\n${lines}\n\n${advice}`,
  )
  const { FAILED_FILES: failedFiles } = process.env
  if (failedFiles !== undefined) appendFileSync(failedFiles, 'scripts/postgres/tests.json\n')
}

process.exitCode = testPostgres(process.argv.slice(2))
