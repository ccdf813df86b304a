import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { buildVerifyAccessSections } from './buildVerifyAccessSections.ts'
import { measureByConnections } from './byConnections.ts'
import { areBenchPackagesInstalled, INSTALL_COMMAND } from './installed.ts'
import { measureFsync } from './load/measureFsync.ts'
import { median } from './load/median.ts'
import { runInProcess } from './load/runInProcess.ts'
import { type PartJob, PROCESS_PARTS } from './partJob.ts'
import type { BenchReport, ReportSection } from './report/benchReport.ts'
import { isMet } from './report/isMet.ts'
import { storedReports } from './report/storedReports.ts'
import { renderReport } from './report.ts'
import { measureVerifyAccess } from './verifyAccess.ts'

const PARTS = ['http', ...PROCESS_PARTS] as const
const RESULTS = 'bench/results'
const PART_TIMEOUT_MS = 600_000
/** Enough to start seven processes and to load them 72 times, beside other work on the machine. */
const SCALING_TIMEOUT_MS = 3_600_000
/** Enough for a million proofs, or a database of ten million events, on a slow machine. */
const FULL_TIMEOUT_MS = 10_800_000

const USAGE = `usage: npm run bench -- [--only ${PARTS.join('|')}] [--quick] [--full] [--json FILE] [--strict]
  --only    measures one part; may be repeated
  --quick   uses short rounds
  --full    requests the proof of every record of the long log, and grows the database to a million agents, a million
            endpoints and ten million events (16 GB in ${RESULTS}, removed afterwards; needs twice that space)
  --keep    stores the measured parts in docs/benchmarks.json and generates docs/benchmarks.md from it
  --json    also writes the report to FILE; ${RESULTS}/latest.json is always written
  --strict  exits with 1 if a target is missed, not only if something is wrong`

type Options = {
  parts: readonly (typeof PARTS)[number][]
  isQuick: boolean
  isFull: boolean
  jsonFile?: string
  isStrict: boolean
  isKept: boolean
}

/**
 * `npm run bench` measures this service, its limits and its peers in one run, and writes a table to stdout and a JSON file.
 *
 * Only ratios are comparable between machines. A missed target therefore ends the run with 1 only with `--strict`, but a
 * wrong response or a failing part always does. Source: docs/performance.md.
 */
async function runBench(options: Options): Promise<number> {
  mkdirSync(RESULTS, { recursive: true })
  const startedAt = new Date().toISOString()
  const loadBefore = loadavg()[0] ?? Number.NaN
  const fsyncs = measureFsync(RESULTS)
  const parts: [part: string, found: Pick<BenchReport, 'sections' | 'wrong'>][] = []
  for (const part of options.parts) {
    try {
      parts.push([part, await measure(part, options)])
    } catch (error) {
      parts.push([
        part,
        { sections: [], wrong: [`${part}: ${error instanceof Error ? error.message : error}`] },
      ])
    }
  }
  fsyncs.push(...measureFsync(RESULTS))
  const cores = cpus()
  const report: BenchReport = {
    startedAt,
    machine: {
      cores: cores.length,
      model: cores[0]?.model.trim() ?? 'unknown',
      node: process.version,
      platform: `${process.platform} ${process.arch}`,
      fsyncMs: median(fsyncs),
      loadBefore,
    },
    isQuick: options.isQuick,
    sections: parts.flatMap(([, { sections }]) => sections),
    wrong: parts.flatMap(([, { wrong }]) => wrong),
  }
  const json = `${JSON.stringify(report, null, 2)}\n`
  for (const file of new Set([`${RESULTS}/latest.json`, options.jsonFile ?? `${RESULTS}/latest.json`])) {
    writeFileSync(file, json)
  }
  if (options.isKept) storeReports(report, parts, options)
  process.stdout.write(renderReport(report))
  return exitCodeOf(report, options.isStrict)
}

/** Stores each part separately, so that a run of one part keeps the others. A part with wrong responses is not stored. */
function storeReports(
  run: BenchReport,
  parts: readonly [part: string, found: Pick<BenchReport, 'sections' | 'wrong'>][],
  { isQuick, isFull }: Options,
): void {
  const stored = { ...storedReports.read() }
  for (const [part, found] of parts) {
    if (found.wrong.length > 0) continue
    const words = [
      'npm run bench -- --only',
      part,
      ...(isQuick ? ['--quick'] : []),
      ...(isFull ? ['--full'] : []),
    ]
    stored[part] = { ...run, ...found, command: words.join(' ') }
  }
  storedReports.write(stored)
  execFileSync(process.execPath, [new URL('./page.ts', import.meta.url).pathname], { stdio: 'inherit' })
}

async function measure(part: (typeof PARTS)[number], { isQuick, isFull }: Options) {
  logProgress(`measuring ${part}`)
  if (part === 'http') {
    const figures = await measureVerifyAccess(isQuick, logProgress)
    const byConnections = await measureByConnections(isQuick, logProgress)
    return { sections: [...buildVerifyAccessSections(figures), byConnections], wrong: figures.wrong }
  }
  const script = new URL('./measurePart.ts', import.meta.url)
  const job: PartJob = { part, isQuick, isFull }
  const usualMs = part === 'scaling' ? SCALING_TIMEOUT_MS : PART_TIMEOUT_MS
  const timeoutMs = isFull ? FULL_TIMEOUT_MS : usualMs
  const { wrong = [], ...section } = await runInProcess<ReportSection>(script, job, timeoutMs)
  return { sections: [section], wrong }
}

/** Writes to stderr, because stdout is for the report. */
function logProgress(what: string): void {
  process.stderr.write(`bench: ${what}\n`)
}

function exitCodeOf({ sections, wrong }: BenchReport, isStrict: boolean): number {
  const rows = sections.flatMap((section) => section.rows)
  const isMissed = rows.some(({ value, target }) => target !== undefined && !isMet(value, target))
  return wrong.length > 0 || (isStrict && isMissed) ? 1 : 0
}

/** @throws Error for unknown arguments. */
function readOptions(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      only: { type: 'string', multiple: true },
      quick: { type: 'boolean', default: false },
      full: { type: 'boolean', default: false },
      json: { type: 'string' },
      strict: { type: 'boolean', default: false },
      keep: { type: 'boolean', default: false },
    },
  })
  const unknown = values.only?.find((name) => !PARTS.some((part) => part === name))
  if (unknown !== undefined) throw new Error(`unknown part: ${unknown}`)
  return {
    parts: PARTS.filter((part) => values.only === undefined || values.only.includes(part)),
    isQuick: values.quick,
    isFull: values.full,
    jsonFile: values.json,
    isStrict: values.strict,
    isKept: values.keep,
  }
}

if (areBenchPackagesInstalled) {
  try {
    process.exitCode = await runBench(readOptions(process.argv.slice(2)))
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n${USAGE}\n`)
    process.exitCode = 2
  }
} else {
  process.stderr.write(
    `The packages of the benchmarks are not installed. Install them first: ${INSTALL_COMMAND}\n`,
  )
  process.exitCode = 2
}
