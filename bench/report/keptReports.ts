import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BenchReport } from './benchReport.ts'

const FILE = join(import.meta.dirname, '..', '..', 'docs', 'benchmarks.json')

/** A run of one part, and the command that repeats it. */
export type KeptReport = BenchReport & { readonly command: string }

type KeptReports = Readonly<Record<string, KeptReport>>

/** The runs of which docs/benchmarks.md is made, by part: those that `npm run bench -- --keep` has kept last. */
export const keptReports = {
  read(): KeptReports {
    try {
      return JSON.parse(readFileSync(FILE, 'utf8')) as KeptReports
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {}
      throw error
    }
  },
  write(reports: KeptReports): void {
    writeFileSync(FILE, `${JSON.stringify(reports, null, 2)}\n`)
  },
}
