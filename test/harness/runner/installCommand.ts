import { execFile } from 'node:child_process'
import { globSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const SCRIPTS = join(import.meta.dirname, '../../../scripts')
const QUIET = ['--no-audit', '--no-fund', '--no-package-lock', '--no-update-notifier', '--ignore-scripts']
const run = promisify(execFile)

/**
 * Builds and packs a command, and has npm install it into a folder, as its users do.
 *
 * @param build Script of the package, such as `buildCli`.
 * @returns Size of the archive in bytes, and the folder that was packed.
 */
export async function installCommand(
  build: 'buildCli' | 'buildGate',
  folder: string,
): Promise<{ packedBytes: number; built: string }> {
  const options = { cwd: folder }
  const built = join(folder, 'built')
  await run(process.execPath, [join(SCRIPTS, `${build}.ts`), '--out', built])
  await run('npm', ['pack', './built'], options)
  const [packed = ''] = globSync('*.tgz', options)
  writeFileSync(join(folder, 'package.json'), '{ "name": "mine", "private": true }')
  await run('npm', ['install', `./${packed}`, '--prefer-offline', ...QUIET], options)
  return { packedBytes: statSync(join(folder, packed)).size, built }
}
