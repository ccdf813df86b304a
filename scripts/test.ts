import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

const ROOT = join(import.meta.dirname, '..')
const HARDHAT = join(ROOT, 'node_modules/hardhat/dist/src/cli.js')
const MOCHA = join(ROOT, 'node_modules/mocha/bin/mocha.js')

/** Tests with a script of their own. */
const ELSEWHERE = ['test/browser/**', 'test/processes/**', 'test/**/*postgres.test.ts']

/** Three keep two processors busy but for moments; four get in each other's way, and take a tenth more of their time. */
const JOBS = '3'

/**
 * Runs the tests in TypeScript, and beside them those in Solidity, whose compiler would leave all processors but one idle.
 * What the latter say comes at the end, in one piece; `words` are for the former.
 *
 * @returns Whether all of them pass.
 */
async function test(words: readonly string[]): Promise<boolean> {
  const solidity = spawn(process.execPath, [HARDHAT, 'test', 'solidity'], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ofSolidity = Promise.all([text(solidity.stdout), once(solidity, 'close')])
  const ignored = ELSEWHERE.flatMap((pattern) => ['--ignore', pattern])
  const settings = ['--parallel', '--jobs', JOBS, ...ignored, 'test/**/*.test.ts', ...words]
  const mocha = spawn(process.execPath, [MOCHA, ...settings], { cwd: ROOT, stdio: 'inherit' })
  const [code] = await once(mocha, 'close')
  const [output, [codeOfSolidity]] = await ofSolidity
  console.log(output)
  return code === 0 && codeOfSolidity === 0
}

process.exitCode = (await test(process.argv.slice(2))) ? 0 : 1
