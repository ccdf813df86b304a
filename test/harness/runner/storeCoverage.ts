import { appendFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FileCoverage } from '../../../scripts/postgres/storeFunctions.ts'

/**
 * Notes for each test file which functions of the store it calls in its own process, as one line of JSON in the file that
 * `STORE_COVERAGE` names. Worker threads and other processes are not observed.
 */
const ROOT = join(import.meta.dirname, '../../..')
const STORE = join(ROOT, 'server/store')
/** What PostgreSQL never runs, what every database of a test has run, and what only a command runs, in its own process. */
const NOT_MEANT = /\.sqlite\.ts$|migrations\/|^audit\/beginNewLog/
const session = new Session()
session.connect()
await session.post('Profiler.enable')
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
let began = 0

export const mochaHooks = {
  beforeAll() {
    began = Date.now()
  },
  async afterAll(this: Mocha.Context) {
    const suite = this.test?.parent?.suites[0]
    const { STORE_COVERAGE: report } = process.env
    if (suite?.file === undefined || report === undefined) return
    const coverage: FileCoverage = {
      file: relative(ROOT, suite.file),
      milliseconds: Date.now() - began,
      ...(await takeStoreFunctions()),
    }
    appendFileSync(report, `${JSON.stringify(coverage)}\n`)
  },
}

/** Takes the functions of the store that are known, and those of them that ran since the last call. */
async function takeStoreFunctions(): Promise<{ known: string[]; ran: string[] }> {
  const { result } = await session.post('Profiler.takePreciseCoverage')
  const known = new Set<string>()
  const ran = new Set<string>()
  for (const { url, functions } of result) {
    if (!url.startsWith('file:')) continue
    const path = relative(STORE, fileURLToPath(url))
    if (path.startsWith('..') || NOT_MEANT.test(path)) continue
    for (const { functionName, ranges } of functions) {
      if (functionName === '') continue
      const name = `${path}: ${functionName}`
      known.add(name)
      if (ranges.some(({ count }) => count > 0)) ran.add(name)
    }
  }
  return { known: [...known], ran: [...ran] }
}
