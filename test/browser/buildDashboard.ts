import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

const ROOT = join(import.meta.dirname, '../..')
const DIST = join(ROOT, 'web/dist')

/** Builds the dashboard from its present sources and tells how much script its first view loads, compressed. */
export function buildDashboard(): { firstViewBytes: number } {
  const vite = join(ROOT, 'node_modules/vite/bin/vite.js')
  execFileSync(process.execPath, [vite, 'build', '--logLevel', 'warn'], { cwd: join(ROOT, 'web') })
  const page = readFileSync(join(DIST, 'index.html'), 'utf8')
  const scripts = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+\.js)"/g)].map(([, path = '']) => path)
  if (scripts.length === 0) throw new Error('the built page loads no script')
  const bytes = scripts.map((path) => gzipSync(readFileSync(join(DIST, path))).length)
  return { firstViewBytes: bytes.reduce((sum, count) => sum + count, 0) }
}
