import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

const ROOT = join(import.meta.dirname, '..')
const HARDHAT = join(ROOT, 'node_modules/hardhat/dist/src/cli.js')
const MOCHA = join(ROOT, 'node_modules/mocha/bin/mocha.js')

/** Tests that have their own script. */
const ELSEWHERE = ['test/browser/**', 'test/image/**', 'test/processes/**', 'test/**/*postgres.test.ts']

/** Three files at a time keep two processors busy; with four, the run takes 10 % longer. */
const JOBS = '3'

/**
 * Runs the TypeScript tests and, at the same time, the Solidity tests, whose compiler uses only one processor.
 *
 * The output of the Solidity tests is printed at the end. `args` are passed to mocha. A failure of the Solidity tests is
 * added to the file that `FAILED_FILES` names, in which mocha's reporter lists the failed files.
 *
 * @returns Whether all tests pass.
 */
async function runTests(args: readonly string[]): Promise<boolean> {
  const solidity = spawn(process.execPath, [HARDHAT, 'test', 'solidity'], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const solidityResult = Promise.all([text(solidity.stdout), once(solidity, 'close')])
  const ignored = ELSEWHERE.flatMap((pattern) => ['--ignore', pattern])
  const mochaArgs = ['--parallel', '--jobs', JOBS, ...ignored, 'test/**/*.test.ts', ...args]
  const mocha = spawn(process.execPath, [MOCHA, ...mochaArgs], { cwd: ROOT, stdio: 'inherit' })
  const [mochaCode] = await once(mocha, 'close')
  const [output, [solidityCode]] = await solidityResult
  console.log(output)
  const { FAILED_FILES: report } = process.env
  if (report !== undefined && solidityCode !== 0) appendFileSync(report, 'the Solidity tests\n')
  return mochaCode === 0 && solidityCode === 0
}

process.exitCode = (await runTests(process.argv.slice(2))) ? 0 : 1
