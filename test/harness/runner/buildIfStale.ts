import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { runExclusively } from './runExclusively.ts'

const ROOT = join(import.meta.dirname, '../../..')

/**
 * Builds something if its sources have changed, once across concurrent test processes.
 *
 * @param built A file that the build writes; its sources are relative to the root of the repository.
 */
export async function buildIfStale(
  name: string,
  { built, sources, build }: { built: string; sources: readonly string[]; build: () => void },
): Promise<void> {
  await runExclusively(name, () => isStale(join(ROOT, built), sources) && build())
}

function isStale(path: string, sources: readonly string[]): boolean {
  const built = statSync(path, { throwIfNoEntry: false })
  return built === undefined || sources.some((source) => findChangeTime(join(ROOT, source)) > built.mtimeMs)
}

/** Files that a build writes are no sources of it. */
const WRITTEN = new Set(['dist', 'cache', '.temp', 'screenshots'])

function findChangeTime(path: string): number {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined) return 0
  if (!found.isDirectory()) return found.mtimeMs
  const inside = readdirSync(path).filter((name) => !WRITTEN.has(name))
  // The modification time of the folder itself reveals deleted files, unless a build writes into it.
  const own = inside.length === readdirSync(path).length ? found.mtimeMs : 0
  return Math.max(own, ...inside.map((name) => findChangeTime(join(path, name))))
}
