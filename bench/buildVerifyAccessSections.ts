import { median } from './load/median.ts'
import type { OpenLoopResult } from './load/openLoop.ts'
import { describePinning } from './load/pinToCores.ts'
import type { ReportRow, ReportSection } from './report/benchReport.ts'
import type { ContenderName, VerifyAccessFigures } from './verifyAccessFigures.ts'

const NAMES: Record<ContenderName, string> = {
  bareHttp: 'bare node:http',
  bareExpress: 'bare Express 5, the limit',
  sqliteCommit: 'Express, better-sqlite3, one commit per request',
  knexCommit: 'Express, knex, one commit per request',
  verified: 'ours, verified',
  signed: 'ours, signed and verified',
  receipt: 'ours, signed and verified, with a receipt',
  anonymous: 'ours, anonymous',
}
const OURS = ['verified', 'anonymous'] as const
const PROVEN = [
  ['signed', 0.45],
  ['receipt', 0.4],
] as const

/** Builds the report's sections on verify-access: medians of the rounds, with targets. Source: docs/performance.md. */
export function buildVerifyAccessSections(figures: VerifyAccessFigures): ReportSection[] {
  return [buildClosedSection(figures), buildAllCoresSection(figures), buildOpenSection(figures)]
}

function buildClosedSection({
  closed,
  connections,
  answerBytes,
  recorded,
  rounds,
  busyRounds,
}: VerifyAccessFigures): ReportSection {
  const limit = median(closed.bareExpress ?? [])
  const rows = buildRateRows(closed)
  const commit = Math.max(median(closed.sqliteCommit ?? []), median(closed.knexCommit ?? []))
  const knex = median(closed.knexCommit ?? [])
  for (const name of OURS) {
    if (!closed[name]) continue
    const rate = median(closed[name])
    rows.push(
      buildRatioRow(`${NAMES[name]} / bare Express`, rate / limit, { atLeast: 0.8, floor: 0.6 }),
      buildRatioRow(`${NAMES[name]} / best commit per request`, rate / commit),
      buildRatioRow(`${NAMES[name]} / knex, one commit per request`, rate / knex),
    )
  }
  const notes = [
    `Every response was checked. The ratio is relative to bare Express; rounds are the slowest and the fastest.`,
    describePinning(),
  ]
  notes.push(`Response body: ${formatSizes(answerBytes)}.`)
  if (recorded) {
    notes.push(
      `Our ${recorded.answers.toLocaleString('en')} correct responses correspond to ${recorded.records.toLocaleString('en')} audit records on disk.`,
    )
  }
  if (busyRounds > 0) notes.push(`${busyRounds} of ${rounds} rounds began on a busy machine: provisional.`)
  return { title: `verify-access, closed loop, ${connections} connections`, rows, notes }
}

function buildAllCoresSection({ onAllCores, connections }: VerifyAccessFigures): ReportSection {
  const limit = median(onAllCores.bareExpress ?? [])
  const rows = buildRateRows(onAllCores)
  for (const [name, atLeast] of PROVEN) {
    if (!onAllCores[name]) continue
    rows.push(buildRatioRow(`${NAMES[name]} / bare Express`, median(onAllCores[name]) / limit, { atLeast }))
  }
  const notes = [
    'Servers may use all cores, and share the last one with the load generator, which uses only that.',
  ]
  return { title: `verify-access, closed loop, ${connections} connections, all cores`, rows, notes }
}

function buildRateRows(rates: VerifyAccessFigures['closed']): ReportRow[] {
  const limit = median(rates.bareExpress ?? [])
  return listMeasured(rates).map((name) => {
    const value = median(rates[name] ?? [])
    const range = rangeOf(rates[name] ?? [])
    return { name: NAMES[name], value, unit: 'responses/s', ratio: value / limit, range }
  })
}

function buildOpenSection({ open, openPerSecond, fsyncMs }: VerifyAccessFigures): ReportSection {
  const of = (name: ContenderName, figure: keyof Omit<OpenLoopResult, 'right' | 'wrong'>) =>
    (open[name] ?? []).map((result) => result[figure])
  const rows: ReportRow[] = listMeasured(open).flatMap((name) =>
    (['p50', 'p99'] as const).map((figure) => {
      const value = median(of(name, figure))
      const ratio = value / median(of('bareExpress', figure))
      return { name: `${NAMES[name]}, ${figure}`, value, unit: 'ms', ratio, range: rangeOf(of(name, figure)) }
    }),
  )
  for (const name of OURS) {
    if (!open[name]) continue
    const above = median(of(name, 'p50')) - median(of('bareExpress', 'p50'))
    const ratio = median(of(name, 'p99')) / median(of('sqliteCommit', 'p99'))
    rows.push(
      {
        name: `${NAMES[name]}, p50 above Express's`,
        value: above / fsyncMs,
        unit: 'fsyncs',
        target: { atMost: 2.5 },
      },
      // It waits for the same disk.
      buildRatioRow(`${NAMES[name]}, p99 / one commit per request`, ratio, { atMost: 1 }),
    )
  }
  const late = Math.max(...listMeasured(open).flatMap((name) => of(name, 'lateP99')))
  return {
    title: `verify-access, open loop, ${openPerSecond.toLocaleString('en')} requests/s`,
    rows,
    notes: [
      describePinning(),
      `Latency is measured from the time a request was due and includes the client's own delay, whose p99 was at most ${late.toFixed(2)} ms.`,
      `Median time of one fsync on this disk (4 KiB appends in the same run): ${fsyncMs.toFixed(3)} ms.`,
    ],
  }
}

function buildRatioRow(name: string, value: number, target?: ReportRow['target']): ReportRow {
  return { name, value, unit: '×', ...(target && { target }) }
}

/** The measured contenders, in the order of the table. */
function listMeasured(figures: Partial<Record<ContenderName, unknown>>): ContenderName[] {
  return (Object.keys(NAMES) as ContenderName[]).filter((name) => figures[name] !== undefined)
}

function rangeOf(values: readonly number[]): [number, number] {
  return [Math.min(...values), Math.max(...values)]
}

function formatSizes(answerBytes: VerifyAccessFigures['answerBytes']): string {
  const part = (label: string, name: ContenderName) =>
    answerBytes[name] === undefined ? [] : [`${label} ${answerBytes[name].toLocaleString('en')} bytes`]
  return [
    ...part('ours', 'verified'),
    ...part('signed', 'signed'),
    ...part('with a receipt', 'receipt'),
    ...part('anonymous', 'anonymous'),
    ...part('peers', 'bareExpress'),
  ].join(', ')
}
