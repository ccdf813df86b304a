import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

const ROOT = join(import.meta.dirname, '..')

/** The scripts `check:*` of package.json, in two lists of about the same duration. */
const LISTS = [['types'], ['lint', 'layers', 'exports', 'generated', 'api', 'packages']]

/**
 * Runs all checks: `npm run check`. The lists run at the same time, each in order, and every check runs even if another one
 * failed. The output of a check is printed once it has ended.
 *
 * @returns Whether all of them pass.
 */
async function check(): Promise<boolean> {
  const failed = (await Promise.all(LISTS.map(runInOrder))).flat()
  if (failed.length > 0) console.error(`Failed: ${failed.map((name) => `npm run check:${name}`).join(', ')}`)
  return failed.length === 0
}

/** @returns The names of those that fail. */
async function runInOrder(names: readonly string[]): Promise<string[]> {
  const failed: string[] = []
  for (const name of names) {
    const child = spawn('npm', ['run', `check:${name}`], { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] })
    const [output, errors, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close'),
    ])
    console.log(output + errors)
    if (code !== 0) failed.push(name)
  }
  return failed
}

process.exitCode = (await check()) ? 0 : 1
