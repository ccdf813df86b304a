import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

const FILE = join(import.meta.dirname, '../../docs/reliability.json')

const resultSchema = z.object({
  /** What the tests counted, one sentence each. */
  figures: z.array(z.string()),
  passing: z.number(),
  failing: z.number(),
  /** Skipped, because this machine lacks a tool or a permission. */
  pending: z.number(),
  seconds: z.number(),
  date: z.iso.date(),
})
const resultsSchema = z.record(
  z.string(),
  z.object({ short: resultSchema.optional(), full: resultSchema.optional() }),
)

/** The result of one run of one row. */
export type FaultResult = z.infer<typeof resultSchema>
/** The latest short and the latest full run of each row, by its number. */
export type FaultResults = z.infer<typeof resultsSchema>

/** The results, stored next to the page that is generated from them. */
export const faultResults = {
  read: (): FaultResults => resultsSchema.parse(JSON.parse(readFileSync(FILE, 'utf8'))),
  write: (results: FaultResults): void => writeFileSync(FILE, `${JSON.stringify(results, null, 2)}\n`),
}
