import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import type { MutationGroup } from './mutationGroups.ts'
import type { MutationResult } from './mutationResults.ts'

const ROOT = join(import.meta.dirname, '../..')
/** Folder with Stryker and a version of mocha that its runner can load. */
export const TOOLS = join(import.meta.dirname, 'tools')
const CACHE = join(ROOT, 'node_modules/.cache/mutation')
/** More processes would only wait for each other. */
const CONCURRENCY_MAX = 4

const position = z.object({ line: z.int(), column: z.int() })
/** The part of Stryker's report that is read here. Source: mutation-testing-report-schema 3. */
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

/** Installs the versions in Stryker's lock file, without running install scripts. */
export function installStryker(): void {
  execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: TOOLS, stdio: 'inherit' })
}

/**
 * Makes one change after another in the files of a group, runs its tests each time, and counts the changes they notice.
 *
 * @param project A copy of the project, which is changed.
 * @param isIncremental Whether to reuse results of the previous run that no later change of code or tests can have altered.
 * @throws Error if the tests fail without any change, or Stryker does not finish.
 */
export function runStryker(project: string, group: MutationGroup, isIncremental: boolean): MutationResult {
  mkdirSync(CACHE, { recursive: true })
  const { require: required } = mochaSchema.parse(
    JSON.parse(readFileSync(join(ROOT, '.mocharc.json'), 'utf8')),
  )
  const report = join(CACHE, 'report.json')
  const configFile = join(CACHE, 'stryker.config.json')
  const config = {
    testRunner: 'mocha',
    mochaOptions: { spec: group.tests, require: [...required, './scripts/mutation/repeatableCases.ts'] },
    mutate: group.files,
    inPlace: true,
    coverageAnalysis: 'perTest',
    ignoreStatic: !group.withLoading,
    concurrency: Math.min(availableParallelism(), CONCURRENCY_MAX),
    dryRunTimeoutMinutes: 15,
    incremental: true,
    incrementalFile: join(CACHE, `${group.name}.json`),
    force: !isIncremental,
    reporters: ['json', 'clear-text', 'progress-append-only'],
    jsonReporter: { fileName: report },
    clearTextReporter: { logTests: false, reportTests: false },
    warnings: { slow: false },
  }
  writeFileSync(configFile, JSON.stringify(config))
  const begin = performance.now()
  const stryker = join(TOOLS, 'node_modules/@stryker-mutator/core/bin/stryker.js')
  const { status, signal } = spawnSync(process.execPath, [stryker, 'run', configFile], {
    cwd: project,
    stdio: 'inherit',
  })
  if (status !== 0) throw new Error(`Stryker exited with ${status ?? signal}`)
  const seconds = Math.round((performance.now() - begin) / 1000)
  return {
    ...countMutants(reportSchema.parse(JSON.parse(readFileSync(report, 'utf8')))),
    seconds,
    isAgain: isIncremental,
  }
}

function countMutants({ files, framework }: Report): Omit<MutationResult, 'seconds' | 'isAgain'> {
  const mutants = Object.values(files).flatMap((file) => file.mutants)
  const count = (status: string) => mutants.filter((mutant) => mutant.status === status).length
  const [killed, timedOut] = [count('Killed'), count('Timeout')]
  const [survived, uncovered] = [count('Survived'), count('NoCoverage')]
  return {
    mutants: killed + timedOut + survived + uncovered,
    killed,
    timedOut,
    survived,
    uncovered,
    ignored: count('Ignored'),
    unnoticed: describeUnnoticed(files),
    date: new Date().toISOString().slice(0, 10),
    tools: `Stryker ${framework.version}, Node ${process.version}`,
  }
}

function describeUnnoticed(files: Report['files']): string[] {
  return Object.entries(files).flatMap(([file, { source, mutants }]) =>
    mutants
      .filter(({ status }) => status === 'Survived' || status === 'NoCoverage')
      .map(({ status, replacement, location: { start, end } }) => {
        const lines = source.split('\n').slice(start.line - 1, end.line)
        const last = lines.at(-1)?.slice(0, end.column - 1) ?? ''
        const original = [...lines.slice(0, -1), last].join('\n').slice(start.column - 1)
        const note = status === 'NoCoverage' ? ' (not reached)' : ''
        return `${file}:${start.line}: ${shorten(original)} → ${shorten(replacement)}${note}`
      }),
  )
}

const LENGTH_MAX = 80

function shorten(code: string): string {
  const line = code.replace(/\s+/g, ' ')
  return line.length > LENGTH_MAX ? `${line.slice(0, LENGTH_MAX)}…` : line
}
