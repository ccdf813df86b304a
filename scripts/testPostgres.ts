import { spawnSync } from 'node:child_process'
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chooseFiles, findUncalled, findUnused, readCoverage } from './postgres/storeFunctions.ts'

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

/** Whether a test is about the SQL itself, several processes, backups, or a PostgreSQL that it starts. */
const isDue = (file: string) =>
  /^test\/(server\/store\/|processes\/|faults\/backup)/.test(file) ||
  /database\/postgres\.ts'/.test(readFileSync(join(ROOT, file), 'utf8'))

/**
 * Runs the server's tests on PostgreSQL: `npm run test:postgres`. Most statements are the same for both databases, so only
 * the test files of `scripts/postgres/tests.json` run, which together call every function of the store that all of them
 * call. It lists the functions that were not called, which may depend on timing, and fails if nothing of a file was. `--all`
 * runs all files, and `--choose` chooses those of the list from them again.
 *
 * @returns The exit code.
 */
function testPostgres(args: readonly string[]): number {
  const folder = mkdtempSync(join(tmpdir(), 'svc-postgres-tests-'))
  const report = join(folder, 'coverage')
  try {
    const listed = JSON.parse(readFileSync(LIST, 'utf8')) as string[]
    const isChoosing = args.includes('--choose')
    const isWhole = isChoosing || args.includes('--all')
    const others = args.filter((arg) => arg !== '--choose' && arg !== '--all')
    const status = runMocha([...(isWhole ? ALL : listed), ...others], report)
    if (!existsSync(report)) return status
    const coverage = readCoverage(report)
    const uncalled = findUncalled(coverage).map((name) => `\n    ${name}`)
    console.log(
      `  Functions of the store that no test called on PostgreSQL: ${uncalled.length}${uncalled.join('')}\n`,
    )
    if (isChoosing && status === 0) {
      writeFileSync(LIST, `${JSON.stringify(chooseFiles(coverage, isDue), null, 2)}\n`)
    }
    const unused = findUnused(coverage)
    if (status !== 0 || unused.length === 0) return status
    reportUnused(unused)
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
function reportUnused(files: readonly string[]): void {
  const lines = files.map((file) => `       server/store/${file}`).join('\n')
  console.log(`\n  1 failing\n\n  1) no test on PostgreSQL calls anything of these files:\n${lines}\n`)
  console.log(
    'Add a test file that does to scripts/postgres/tests.json, or run: npm run test:postgres -- --choose',
  )
  const { FAILED_FILES: failedFiles } = process.env
  if (failedFiles !== undefined) appendFileSync(failedFiles, 'scripts/postgres/tests.json\n')
}

process.exitCode = testPostgres(process.argv.slice(2))
