import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildReports } from './apiReports/buildReports.ts'
import { findUnannounced, readUnreleased } from './apiReports/findUnannounced.ts'

/**
 * Compares the public names of the client library with the reports in `client/api`, so that none changes unnoticed.
 *
 * With `--check` a difference is an error. Otherwise the reports are written, unless a name that changed is not in the
 * changelog of the package.
 */
const CLIENT = join(import.meta.dirname, '../client')
const REPORTS = join(CLIENT, 'api')

function readIfPresent(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}

const isCheck = process.argv.includes('--check')
const unreleased = readUnreleased(readFileSync(join(CLIENT, 'CHANGELOG.md'), 'utf8'))
const changed: string[] = []
const unannounced: string[] = []
for (const [entry, after] of buildReports()) {
  const path = join(REPORTS, `${entry}.api.md`)
  const before = readIfPresent(path)
  if (before === after) continue
  const names = findUnannounced(before, after, unreleased)
  unannounced.push(...names.map((name) => `${name} (@svc/client/${entry})`))
  changed.push(`client/api/${entry}.api.md`)
  if (isCheck || names.length > 0) continue
  mkdirSync(REPORTS, { recursive: true })
  writeFileSync(path, after)
}
if (unannounced.length > 0) {
  console.error(
    `Public names changed that client/CHANGELOG.md does not name under [Unreleased]:\n- ${unannounced.join('\n- ')}`,
  )
  process.exit(1)
}
if (isCheck && changed.length > 0) {
  console.error(`Out of date: ${changed.join(', ')}. Run "npm run api-reports" and review the difference.`)
  process.exit(1)
}
console.log(changed.length === 0 ? 'All API reports are up to date.' : `Wrote ${changed.join(', ')}.`)
