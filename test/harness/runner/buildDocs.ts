import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { buildIfStale } from './buildIfStale.ts'

const ROOT = join(import.meta.dirname, '../../..')
const SOURCES = [
  ...['docs', 'scripts/compressFiles.ts', 'package-lock.json'],
  ...[
    'client/README.md',
    'clients/python/README.md',
    'examples/README.md',
    'CONTRIBUTING.md',
    'CHANGELOG.md',
    'client/CHANGELOG.md',
    'gate/CHANGELOG.md',
    'cli/CHANGELOG.md',
    'clients/python/CHANGELOG.md',
  ],
]

/** Builds the documentation site if its sources have changed. The build fails for a link to a page that does not exist. */
export function buildDocs(): Promise<void> {
  const vitepress = join(ROOT, 'node_modules/vitepress/bin/vitepress.js')
  const build = () => {
    execFileSync(process.execPath, [vitepress, 'build', 'docs', '--logLevel', 'warn'], {
      cwd: ROOT,
      stdio: 'pipe',
    })
  }
  return buildIfStale('docs', { built: 'docs/.vitepress/dist/reference.html', sources: SOURCES, build })
}
