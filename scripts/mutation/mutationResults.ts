import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

const FILE = join(import.meta.dirname, '../../docs/mutation.json')

const count = z.int().nonnegative()
const resultSchema = z.object({
  /** Changes that tests could notice: killed + timedOut + survived + uncovered. */
  mutants: count,
  killed: count,
  /** Noticed because a test timed out. */
  timedOut: count,
  survived: count,
  /** Not reached by any test of the group, hence not noticed. */
  uncovered: count,
  /** Not made, because the code runs only once, when its file is loaded. */
  ignored: count,
  /** Each change that was not noticed: file, line, and the change. */
  unnoticed: z.array(z.string()),
  seconds: count,
  /** Whether the run reused results of the previous one, which makes `seconds` short. */
  isAgain: z.boolean(),
  date: z.iso.date(),
  /** The versions of Stryker and Node. */
  tools: z.string(),
})
const resultsSchema = z.record(z.string(), resultSchema)

/** The counts of one run of one group. */
export type MutationResult = z.infer<typeof resultSchema>

/** The latest run of each group, by name, stored next to the page that is generated from them. */
export const mutationResults = {
  read: (): Record<string, MutationResult> => resultsSchema.parse(JSON.parse(readFileSync(FILE, 'utf8'))),
  write: (results: Record<string, MutationResult>): void =>
    writeFileSync(FILE, `${JSON.stringify(results, null, 2)}\n`),
}
