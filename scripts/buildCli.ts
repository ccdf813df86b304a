import { cpSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { build } from 'esbuild'
import { listDependencies } from './client/listDependencies.ts'
import { readPackageFile } from './client/readPackageFile.ts'

const ROOT = join(import.meta.dirname, '..')
const CLI = join(ROOT, 'cli')
/** Their code is part of the package. */
const WORKSPACES = ['core', 'client', 'cli']

/**
 * Builds `svc` as its users install it: one JavaScript file, which contains the code of the client, of core and of the
 * chain's readers, in a folder with its own package.json, ready for `npm pack`.
 */
async function buildCli(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true })
  await build({
    entryPoints: [join(CLI, 'svc.ts')],
    outfile: join(folder, 'svc.js'),
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    external: Object.keys(listDependencies(WORKSPACES)),
  })
  cpSync(join(CLI, 'README.md'), join(folder, 'README.md'))
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(buildPackageFile(), null, 2)}\n`)
}

function buildPackageFile() {
  const { name, version, description } = readPackageFile('cli')
  return {
    ...{ name, version, description, type: 'module', license: readPackageFile('.').license },
    // `styleText` heeds the terminal and NO_COLOR from here on.
    engines: { node: '>=22.13' },
    bin: { svc: 'svc.js' },
    dependencies: listDependencies(WORKSPACES),
  }
}

const { values } = parseArgs({ options: { out: { type: 'string' } } })
await buildCli(values.out ?? join(CLI, 'dist', 'package'))
