import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BenchReport } from './benchReport.ts'

const FILE = join(import.meta.dirname, '..', '..', 'docs', 'benchmarks.json')

/** A run of one part, and the command that repeats it. */
export type StoredReport = BenchReport & { readonly command: string }

type StoredReports = Readonly<Record<string, StoredReport>>

/** The runs from which docs/benchmarks.md is generated, by part: the last ones stored by `npm run bench -- --keep`. */
export const storedReports = {
  read(): StoredReports {
    try {
      return JSON.parse(readFileSync(FILE, 'utf8')) as StoredReports
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {}
      throw error
    }
  },
  write(reports: StoredReports): void {
    writeFileSync(FILE, `${JSON.stringify(reports, null, 2)}\n`)
  },
}
