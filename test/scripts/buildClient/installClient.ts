import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { createTemporaryFolder } from '../../harness/runner/createTemporaryFolder.ts'
import { runExclusively } from '../../harness/runner/runExclusively.ts'

const ROOT = join(import.meta.dirname, '../../..')
const PREFIX = `svc-client${ROOT.replaceAll('/', '-')}-`
const SOURCES = [
  '{client,core}/**/*.{ts,json,md}',
  'scripts/{buildClient.ts,client/*.ts}',
  'package-lock.json',
]
/** Packages that users install next to the library, linked in the workspace's versions. */
const PEERS = [
  'express',
  '@types/express',
  '@types/node',
  'fastify',
  'viem',
  'zod',
  '@modelcontextprotocol/sdk',
]
/** Longer than any run of tests. */
const LEFT_AFTER_MS = 900_000
const run = promisify(execFile)

/** A user's project, which `remove` deletes, and the origin of its library. */
export type ClientProject = {
  path: string
  /** The packed folder. */
  built: string
  /** The installed archive. */
  packed: string
  remove(): void
}

/**
 * Creates an empty project into which npm has installed the packed library.
 *
 * Building and installing takes seconds, so it happens once per state of the sources, however many test processes need it.
 * The project is outside the workspace, so that imports resolve only to its own packages and the linked ones.
 */
export async function installClient(): Promise<ClientProject> {
  const { path: home, built, packed } = await runExclusively('client', once)
  const { path, remove } = createTemporaryFolder()
  symlinkSync(join(home, 'node_modules'), join(path, 'node_modules'))
  writeFileSync(join(path, 'package.json'), '{ "name": "mine", "type": "module", "private": true }')
  return { path, built, packed, remove }
}

async function once() {
  const path = join(tmpdir(), PREFIX + digestOfSources())
  if (!existsSync(path)) await install(path)
  const [packed = ''] = globSync('*.tgz', { cwd: path })
  return { path, built: join(path, 'built'), packed: join(path, packed) }
}

/** Installs into a temporary folder first, so that a killed process leaves no half-installed project behind. */
async function install(path: string): Promise<void> {
  removeOld()
  const folder = mkdtempSync(join(tmpdir(), PREFIX))
  await run(process.execPath, [join(ROOT, 'scripts/buildClient.ts'), '--out', join(folder, 'built')])
  writeFileSync(join(folder, 'package.json'), '{ "name": "empty", "type": "module", "private": true }')
  const { stdout } = await run('npm', ['pack', './built', '--json'], { cwd: folder })
  const [{ filename }] = JSON.parse(stdout)
  const quiet = ['--no-audit', '--no-fund', '--no-package-lock', '--no-update-notifier', '--ignore-scripts']
  await run('npm', ['install', `./${filename}`, '--prefer-offline', ...quiet], { cwd: folder })
  for (const name of PEERS) {
    const link = join(folder, 'node_modules', name)
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(join(ROOT, 'node_modules', name), link)
  }
  renameSync(folder, path)
}

function digestOfSources(): string {
  const digest = createHash('sha256')
  for (const file of globSync(SOURCES, { cwd: ROOT, exclude: ['**/dist/**', '**/node_modules/**'] }).sort()) {
    digest.update(`${file} ${statSync(join(ROOT, file)).mtimeMs}\n`)
  }
  return digest.digest('hex').slice(0, 16)
}

function removeOld(): void {
  for (const name of globSync(`${PREFIX}*`, { cwd: tmpdir() })) {
    const path = join(tmpdir(), name)
    if (Date.now() - statSync(path).mtimeMs > LEFT_AFTER_MS) rmSync(path, { recursive: true, force: true })
  }
}
