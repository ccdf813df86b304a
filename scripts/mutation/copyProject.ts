import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')

/** The project's own workspaces: linked as they are in the original, by ways that stay inside the copy. */
const OWN_SCOPE = '@svc'

/**
 * The same random cases in every run, so that a change is noticed by the tests and not by luck; as many as a second
 * allows, because thousands of changes are tried; and the first case that fails is enough.
 */
const STEADY_CASES = `import fc from 'fast-check'
fc.configureGlobal({ seed: 1, endOnFailure: true, interruptAfterTimeLimit: 1000 })
`

/**
 * Copies the project's own files as they are now, with links to what is installed, into an empty folder.
 *
 * Code is changed in the copy, and nothing reaches the original through it: of the links only packages of others are
 * followed, which no test writes to.
 *
 * @param tools Where the mocha is installed that Stryker can load.
 * @returns The module to be loaded before the tests.
 */
export function copyProject(folder: string, tools: string): string {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  const files = new Set(listed.split('\0').filter((file) => file !== '' && existsSync(join(ROOT, file))))
  for (const file of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    cpSync(join(ROOT, file), join(folder, file))
  }
  const installed = join(ROOT, 'node_modules')
  const linked = join(folder, 'node_modules')
  mkdirSync(join(linked, OWN_SCOPE), { recursive: true })
  for (const name of readdirSync(installed)) {
    if ([OWN_SCOPE, '.cache', 'mocha'].includes(name)) continue
    symlinkSync(join(installed, name), join(linked, name))
  }
  symlinkSync(join(tools, 'node_modules/mocha'), join(linked, 'mocha'))
  for (const name of readdirSync(join(installed, OWN_SCOPE))) {
    symlinkSync(readlinkSync(join(installed, OWN_SCOPE, name)), join(linked, OWN_SCOPE, name))
  }
  const steadyCases = join(folder, 'steadyCases.mjs')
  writeFileSync(steadyCases, STEADY_CASES)
  return steadyCases
}
