import { type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

const ROOT = join(import.meta.dirname, '..')
const MODULES = join(ROOT, 'node_modules')
const HARDHAT = join(MODULES, 'hardhat/dist/src/cli.js')
const MOCHA = join(MODULES, 'mocha/bin/mocha.js')

/** Tests with a script of their own. */
const ELSEWHERE = ['test/browser/**', 'test/server/processes/**', 'test/**/*postgres.test.ts']

/** Three keep two processors busy but for moments; four get in each other's way, and take a tenth more of their time. */
const JOBS = '3'

const start = (program: string, words: readonly string[], options: SpawnOptions) =>
  spawn(process.execPath, [program, ...words], { cwd: ROOT, ...options })

/**
 * Runs the tests in TypeScript, and beside them those in Solidity, whose compiler would leave all processors but one idle.
 * What the latter say comes at the end, in one piece; `words` are for the former.
 *
 * @returns Whether all of them pass.
 */
async function test(words: readonly string[]): Promise<boolean> {
  const solidity = start(HARDHAT, ['test', 'solidity'], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ofSolidity = Promise.all([
    solidity.stdout === null ? '' : text(solidity.stdout),
    once(solidity, 'close'),
  ])
  const ignored = ELSEWHERE.flatMap((pattern) => ['--ignore', pattern])
  const files = ['test/**/*.test.ts', ...words]
  const mocha = start(MOCHA, ['--parallel', '--jobs', JOBS, ...ignored, ...files], { stdio: 'inherit' })
  const [code] = await once(mocha, 'close')
  const [output, [codeOfSolidity]] = await ofSolidity
  console.log(output)
  return code === 0 && codeOfSolidity === 0
}

process.exitCode = (await test(process.argv.slice(2))) ? 0 : 1
