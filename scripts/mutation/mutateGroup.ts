import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import type { MutationGroup } from './mutationGroups.ts'
import type { MutationResult } from './mutationResults.ts'

/** More at once would only wait for one another. */
const CONCURRENCY_MAX = 4

const position = z.object({ line: z.int(), column: z.int() })
/** What is read of Stryker's report. Source: mutation-testing-report-schema 3. */
const reportSchema = z.object({
  framework: z.object({ version: z.string() }),
  files: z.record(
    z.string(),
    z.object({
      source: z.string(),
      mutants: z.array(
        z.object({
          status: z.string(),
          replacement: z.string().default(''),
          location: z.object({ start: position, end: position }),
        }),
      ),
    }),
  ),
})
const mochaSchema = z.object({ require: z.array(z.string()) })

type Report = z.infer<typeof reportSchema>

export type MutationPlace = {
  /** A copy of the project, which is changed meanwhile. */
  project: string
  /** Where Stryker and the mocha it can load are installed. */
  tools: string
  /** Loaded before the tests. */
  steadyCases: string
  /** Where the report of each group is kept for a run that goes on from it. */
  reports: string
}

/**
 * Changes the files of a group one place at a time, runs its tests each time, and counts what they noticed.
 *
 * @param isAgain Whether to take over from the kept report what neither the code nor the tests could have changed.
 * @throws Error when the tests fail without any change, or Stryker does not finish.
 */
export function mutateGroup(
  { project, tools, steadyCases, reports }: MutationPlace,
  group: MutationGroup,
  isAgain: boolean,
): MutationResult {
  const { require: required } = mochaSchema.parse(
    JSON.parse(readFileSync(join(project, '.mocharc.json'), 'utf8')),
  )
  const report = join(project, 'mutation-report.json')
  const settings = join(project, 'stryker.config.json')
  const chosen = {
    testRunner: 'mocha',
    mochaOptions: { spec: group.tests, require: [...required, steadyCases] },
    mutate: group.files,
    inPlace: true,
    coverageAnalysis: 'perTest',
    ignoreStatic: !group.withLoading,
    concurrency: Math.min(availableParallelism(), CONCURRENCY_MAX),
    dryRunTimeoutMinutes: 15,
    incremental: true,
    incrementalFile: join(reports, `${group.name}.json`),
    force: !isAgain,
    reporters: ['json', 'progress-append-only'],
    jsonReporter: { fileName: report },
    warnings: { slow: false },
  }
  writeFileSync(settings, JSON.stringify(chosen))
  const begun = performance.now()
  const stryker = join(tools, 'node_modules/@stryker-mutator/core/bin/stryker.js')
  const ended = spawnSync(process.execPath, [stryker, 'run', settings], { cwd: project, stdio: 'inherit' })
  if (ended.status !== 0) throw new Error(`Stryker ended with ${ended.status ?? ended.signal}`)
  const seconds = Math.round((performance.now() - begun) / 1000)
  return { ...resultOf(reportSchema.parse(JSON.parse(readFileSync(report, 'utf8')))), seconds, isAgain }
}

function resultOf({ files, framework }: Report): Omit<MutationResult, 'seconds' | 'isAgain'> {
  const mutants = Object.values(files).flatMap((file) => file.mutants)
  const having = (status: string) => mutants.filter((mutant) => mutant.status === status).length
  const [killed, timedOut] = [having('Killed'), having('Timeout')]
  const [survived, uncovered] = [having('Survived'), having('NoCoverage')]
  return {
    mutants: killed + timedOut + survived + uncovered,
    killed,
    timedOut,
    survived,
    uncovered,
    ignored: having('Ignored'),
    unnoticed: unnoticedOf(files),
    date: new Date().toISOString().slice(0, 10),
    tools: `Stryker ${framework.version}, Node ${process.version}`,
  }
}

function unnoticedOf(files: Report['files']): string[] {
  return Object.entries(files).flatMap(([file, { source, mutants }]) =>
    mutants
      .filter(({ status }) => status === 'Survived' || status === 'NoCoverage')
      .map(({ status, replacement, location: { start, end } }) => {
        const lines = source.split('\n').slice(start.line - 1, end.line)
        const last = lines.at(-1)?.slice(0, end.column - 1) ?? ''
        const found = [...lines.slice(0, -1), last].join('\n').slice(start.column - 1)
        const note = status === 'NoCoverage' ? ' (not reached)' : ''
        return `${file}:${start.line}: ${short(found)} → ${short(replacement)}${note}`
      }),
  )
}

const SHOWN = 80

function short(code: string): string {
  const line = code.replace(/\s+/g, ' ')
  return line.length > SHOWN ? `${line.slice(0, SHOWN)}…` : line
}
