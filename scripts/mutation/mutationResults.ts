import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

const FILE = join(import.meta.dirname, '../../docs/mutation.json')

const count = z.int().nonnegative()
const resultSchema = z.object({
  /** Changes that could be noticed: killed + timedOut + survived + uncovered. */
  mutants: count,
  killed: count,
  /** Noticed because a test did not end. */
  timedOut: count,
  survived: count,
  /** Reached by no test of the group, and so not noticed either. */
  uncovered: count,
  /** Left out: in what runs once when a file is loaded. */
  ignored: count,
  /** What was not noticed, a line each: file, line, and the change. */
  unnoticed: z.array(z.string()),
  seconds: count,
  /** Whether that was the time of what had changed since the run before, and the rest was taken over from it. */
  isAgain: z.boolean(),
  date: z.iso.date(),
  /** The versions of Stryker and Node. */
  tools: z.string(),
})
const resultsSchema = z.record(z.string(), resultSchema)

/** What one run of one group counted. */
export type MutationResult = z.infer<typeof resultSchema>

/** The latest run of each group, by its name; kept beside the page that is made from them. */
export const mutationResults = {
  read: (): Record<string, MutationResult> => resultsSchema.parse(JSON.parse(readFileSync(FILE, 'utf8'))),
  write: (results: Record<string, MutationResult>): void =>
    writeFileSync(FILE, `${JSON.stringify(results, null, 2)}\n`),
}
