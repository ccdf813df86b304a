import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { runExclusively } from '../../harness/runner/runExclusively.ts'

const ROOT = join(import.meta.dirname, '../../..')
const DIST = join(ROOT, 'web/dist')
const PAGE = join(DIST, 'index.html')
/** The sources of the dashboard. */
const SOURCES = [
  'web/src',
  'web/index.html',
  'web/vite.config.ts',
  'web/package.json',
  'core',
  'package-lock.json',
]

/**
 * Builds the dashboard if its sources have changed, once across concurrent test processes, and returns how many bytes of
 * compressed scripts a visitor needs before anything runs.
 */
export async function buildDashboard(): Promise<{ firstScriptBytes: number }> {
  await runExclusively('dashboard', () => isStale() && build())
  const page = readFileSync(PAGE, 'utf8')
  const scripts = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+\.js)"/g)].map(([, path = '']) => path)
  if (scripts.length === 0) throw new Error('the built page loads no script')
  const bytes = scripts.map((path) => statSync(join(DIST, `${path}.br`)).size)
  return { firstScriptBytes: bytes.reduce((sum, count) => sum + count, 0) }
}

function build(): void {
  const vite = join(ROOT, 'node_modules/vite/bin/vite.js')
  execFileSync(process.execPath, [vite, 'build', '--logLevel', 'warn'], { cwd: join(ROOT, 'web') })
}

function isStale(): boolean {
  const built = statSync(PAGE, { throwIfNoEntry: false })
  return built === undefined || SOURCES.some((source) => findChangeTime(join(ROOT, source)) > built.mtimeMs)
}

function findChangeTime(path: string): number {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined) return 0
  // The modification time of the folder itself reveals deleted files.
  const inside = found.isDirectory() ? readdirSync(path) : []
  return Math.max(found.mtimeMs, ...inside.map((name) => findChangeTime(join(path, name))))
}
