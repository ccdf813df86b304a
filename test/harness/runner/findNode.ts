import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** Finds an installed Node of this major version; null if there is none. */
export function findNode(major: number): string | null {
  const candidates = (process.env.PATH ?? '').split(':').map((folder) => join(folder, 'node'))
  const hasVersion = (file: string) =>
    spawnSync(file, ['-p', 'process.versions.node'], { encoding: 'utf8' }).stdout.startsWith(`${major}.`)
  return candidates.find((file) => existsSync(file) && hasVersion(file)) ?? null
}
