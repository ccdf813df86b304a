import { execFileSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { buildIfStale } from '../../harness/runner/buildIfStale.ts'

const ROOT = join(import.meta.dirname, '../../..')
const DIST = join(ROOT, 'web/dist')
/** The sources of the dashboard. */
const SOURCES = [
  'web/src',
  'web/index.html',
  'web/vite.config.ts',
  'web/package.json',
  'core',
  'scripts/compressFiles.ts',
  'package-lock.json',
]

/**
 * Builds the dashboard if its sources have changed, once across concurrent test processes, and returns how many bytes of
 * compressed scripts a visitor needs before anything runs.
 */
export async function buildDashboard(): Promise<{ firstScriptBytes: number }> {
  await buildIfStale('dashboard', { built: 'web/dist/index.html', sources: SOURCES, build })
  const page = readFileSync(join(DIST, 'index.html'), 'utf8')
  const scripts = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+\.js)"/g)].map(([, path = '']) => path)
  if (scripts.length === 0) throw new Error('the built page loads no script')
  const bytes = scripts.map((path) => statSync(join(DIST, `${path}.br`)).size)
  return { firstScriptBytes: bytes.reduce((sum, count) => sum + count, 0) }
}

function build(): void {
  const vite = join(ROOT, 'node_modules/vite/bin/vite.js')
  execFileSync(process.execPath, [vite, 'build', '--logLevel', 'warn'], { cwd: join(ROOT, 'web') })
}
