import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = join(import.meta.dirname, '..')
const COMPILER = fileURLToPath(import.meta.resolve('typescript/bin/tsc'))

/** The folders with packages of their own, which a user's `npm ci` leaves out, and the command that installs them. */
const FOLDERS = { bench: 'npm run bench:install', frameworks: 'npm run frameworks:install' }

/** Type-checks a folder if its packages are installed. */
async function checkTypes([folder, command]: [string, string]): Promise<number> {
  if (!existsSync(join(ROOT, folder, 'node_modules/.package-lock.json'))) {
    console.log(
      `${folder}: the files that use its own packages were not type-checked; "${command}" installs them`,
    )
    return 0
  }
  const child = spawn(process.execPath, [COMPILER, '-p', join(ROOT, folder)], { stdio: 'inherit' })
  const [code] = await once(child, 'close')
  return code ?? 1
}

process.exitCode = Math.max(...(await Promise.all(Object.entries(FOLDERS).map(checkTypes))))
