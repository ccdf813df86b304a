import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { renderBenchmarkPages } from './report/renderBenchmarkPages.ts'
import { storedReports } from './report/storedReports.ts'

const DOCS = join(import.meta.dirname, '..', 'docs')

/** Writes docs/benchmarks.md and its charts, or with `--check` exits with 1 if they are out of date. */
const pages = renderBenchmarkPages(storedReports.read())
const stale = [...pages].filter(([path, wanted]) => {
  const file = join(DOCS, path)
  return !existsSync(file) || readFileSync(file, 'utf8') !== wanted
})
const left = globSync('benchmarks/*.svg', { cwd: DOCS }).filter((path) => !pages.has(path))
if (process.argv.includes('--check')) {
  const wrong = [...stale.map(([path]) => path), ...left]
  if (wrong.length > 0) {
    console.error(`Out of date: ${wrong.join(', ')}. Run "npm run docs".`)
    process.exitCode = 1
  }
} else {
  for (const path of left) rmSync(join(DOCS, path))
  for (const [path, wanted] of stale) {
    mkdirSync(dirname(join(DOCS, path)), { recursive: true })
    writeFileSync(join(DOCS, path), wanted)
  }
}
