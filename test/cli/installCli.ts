import { execFile } from 'node:child_process'
import { globSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const BUILD = join(import.meta.dirname, '../../scripts/buildCli.ts')
const QUIET = ['--no-audit', '--no-fund', '--no-package-lock', '--no-update-notifier', '--ignore-scripts']
const run = promisify(execFile)

/** Builds and packs `svc`, and has npm install it into a folder, as its users do. */
export async function installCli(folder: string): Promise<void> {
  const options = { cwd: folder }
  await run(process.execPath, [BUILD, '--out', join(folder, 'built')])
  await run('npm', ['pack', './built'], options)
  const [packed = ''] = globSync('*.tgz', options)
  writeFileSync(join(folder, 'package.json'), '{ "name": "mine", "private": true }')
  await run('npm', ['install', `./${packed}`, '--prefer-offline', ...QUIET], options)
}
