import { execFile, spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createTemporaryFolder } from './createTemporaryFolder.ts'

const ROOT = join(import.meta.dirname, '../../..')
const run = promisify(execFile)

export type CheckedOutRelease = {
  /** The command that starts its service. */
  command: readonly [string, ...string[]]
  remove(): void
}

/** Says why a commit cannot be checked out from this clone; null if it can. */
export function findObstacle(commit: string): string | null {
  const { status, error, stderr } = spawnSync('git', ['cat-file', '-e', `${commit}^{commit}`], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  if (status === 0) return null
  const why = error?.message ?? stderr.trim()
  return `commit ${commit.slice(0, 12)} is not in this clone, which may be shallow: git fetch --unshallow (${why})`
}

/**
 * Writes the files of a commit to a temporary folder, in which its service can be started.
 *
 * It uses the installed packages of this checkout if they are of the versions that its lock file names, and otherwise
 * installs its own. Workspaces are always its own.
 */
export async function checkOutRelease(commit: string): Promise<CheckedOutRelease> {
  const { path, remove } = createTemporaryFolder()
  try {
    const archive = join(path, 'release.tar')
    await run('git', ['archive', '--format=tar', '-o', archive, commit], { cwd: ROOT })
    await run('tar', ['-x', '-f', archive, '-C', path])
    if (usesInstalledPackages(path)) linkPackages(path)
    else await run('npm', ['ci', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: path })
  } catch (error) {
    remove()
    throw error
  }
  return { command: [process.execPath, join(path, 'server/main.js')], remove }
}

type LockFile = { packages: Record<string, { version?: string; dev?: boolean; link?: boolean }> }

function usesInstalledPackages(folder: string): boolean {
  const [theirs, ours] = [folder, ROOT].map(
    (root) => (JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as LockFile).packages,
  )
  return Object.entries(theirs ?? {}).every(
    ([place, { version, dev, link }]) =>
      !place.startsWith('node_modules/') || dev || link || ours?.[place]?.version === version,
  )
}

/** Links every package by itself, because the links of this checkout's workspaces lead back to it. */
function linkPackages(folder: string): void {
  const [theirs, ours] = [join(folder, 'node_modules'), join(ROOT, 'node_modules')]
  mkdirSync(join(theirs, '@svc'), { recursive: true })
  for (const name of readdirSync(ours)) {
    if (name !== '@svc' && !name.startsWith('.')) symlinkSync(join(ours, name), join(theirs, name))
  }
  const { workspaces } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    workspaces: string[]
  }
  for (const name of workspaces) symlinkSync(join(folder, name), join(theirs, '@svc', name))
}
