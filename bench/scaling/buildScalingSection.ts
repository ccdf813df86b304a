import { median } from '../load/median.ts'
import type { ReportRow, ReportSection } from '../report/benchReport.ts'
import { CAPS, type CellFigures, PROCESSES, type ScalingCell, type ScalingFigures } from './scalingFigures.ts'

/** Share of busy time from which the cores count as full: more processes then only show the cost of sharing them. */
const FULL = 0.9
/** How much more several processes answer than one, as long as the cores are not full. Source: docs/scaling.md. */
const TARGETS = {
  uncapped: { 1: undefined, 2: 1.8, 4: 3 },
  capped: { 1: undefined, 2: 1.6, 4: 2.5 },
} as const

/**
 * Builds the report's section on several processes: medians of the rounds, each cell beside that of one process.
 *
 * A ratio has a target only where the cores were not full, because otherwise it shows the machine and not the service.
 */
export function buildScalingSection(
  { cells, express, wrong }: ScalingFigures,
  sequencer: readonly ReportRow[],
): ReportSection {
  const delays = [...new Set(cells.map(({ delayMs }) => delayMs))]
  const groups = delays.flatMap((delayMs) => CAPS.map((caps) => ({ delayMs, caps })))
  const of = (wanted: ScalingCell) =>
    cells.filter(
      ({ delayMs, caps, processes }) =>
        delayMs === wanted.delayMs && caps === wanted.caps && processes === wanted.processes,
    )
  const rates = groups.flatMap((group) =>
    PROCESSES.map((processes) => buildRateRow({ ...group, processes }, of)),
  )
  const ours = median(cells.map(({ cpuMicros }) => cpuMicros.service))
  const limit = median(express.map(({ cpuMicros }) => cpuMicros.service))
  return {
    title: 'verify-access over one PostgreSQL with slow syncs, 256 connections for each process',
    rows: [
      ...rates,
      ...groups.flatMap((group) =>
        PROCESSES.map((processes) => buildLatencyRow({ ...group, processes }, of)),
      ),
      ...buildCpuRows('processor time for a response, bare Express 5', express),
      ...CAPS.flatMap((caps) =>
        buildCpuRows(
          `processor time for a response, ${caps}`,
          cells.filter((cell) => cell.caps === caps),
        ),
      ),
      { name: 'processor time of the service / bare Express', value: ours / limit, unit: '×' },
      ...buildLockRows(cells),
      ...sequencer,
    ],
    wrong,
    notes: [
      'Every sync of the database is delayed by a preloaded library. The ratio is relative to one process with the same delay.',
      `Where the cores were busy for more than ${FULL * 100} % of the time, by the service, the database, the load generator and whatever else ran, the row says so, and its ratio has no target.`,
      'Every response was checked, and after each load every response had exactly one record in the log.',
      'The log is locked while committed records get their places; no session that commits decisions ever takes that lock.',
    ],
  }
}

type Find = (cell: ScalingCell) => readonly CellFigures[]

const nameOf = ({ delayMs, caps, processes }: ScalingCell): string =>
  `+${delayMs} ms, ${caps}, ${processes} ${processes === 1 ? 'process' : 'processes'}`

function buildRateRow(cell: ScalingCell, of: Find): ReportRow {
  const rates = of(cell).map(({ perSecond }) => perSecond)
  const busy = median(of(cell).map(({ coresBusy }) => coresBusy))
  const value = median(rates)
  const ratio = value / median(of({ ...cell, processes: 1 }).map(({ perSecond }) => perSecond))
  const name = `${nameOf(cell)}, cores ${busy > FULL ? 'full' : `${Math.round(busy * 100)} % busy`}`
  const row = { name, value, unit: 'responses/s', ratio, range: rangeOf(rates) }
  const least = TARGETS[cell.caps][cell.processes]
  // A target is a bound on the figure itself.
  if (least === undefined || busy > FULL) return row
  return { ...row, target: { atLeast: Math.round((least * value) / ratio) } }
}

function buildLatencyRow(cell: ScalingCell, of: Find): ReportRow {
  const times = of(cell).map(({ medianMs }) => medianMs)
  return { name: `${nameOf(cell)}: p50`, value: median(times), unit: 'ms', range: rangeOf(times) }
}

function buildCpuRows(name: string, figures: readonly CellFigures[]): ReportRow[] {
  return (['service', 'database', 'load'] as const).flatMap((part) => {
    const micros = figures.map(({ cpuMicros }) => cpuMicros[part])
    const value = median(micros)
    return value === 0 ? [] : [{ name: `${name}: ${part}`, value, unit: 'µs', range: rangeOf(micros) }]
  })
}

function buildLockRows(cells: ScalingFigures['cells']): ReportRow[] {
  const shares = cells.flatMap((cell) => cell.shares ?? [])
  const percent = (part: 'logLocked' | 'inTheWay') => shares.map((one) => one[part] * 100)
  const waiting = CAPS.map((caps) =>
    cells.filter((cell) => cell.caps === caps).flatMap((cell) => cell.shares?.waiting ?? []),
  )
  const rows = [
    { name: 'time the log is locked', figures: percent('logLocked'), unit: '% of the time' },
    ...CAPS.map((caps, nth) => ({
      name: `sessions that wait for a lock of another group, ${caps}`,
      figures: waiting[nth] ?? [],
      unit: 'sessions',
    })),
  ]
  return [
    ...rows.map(({ name, figures, unit }) => ({
      name,
      value: median(figures),
      unit,
      range: rangeOf(figures),
    })),
    {
      name: 'time a decision waits for that lock, at most',
      value: Math.max(...percent('inTheWay')),
      unit: '% of the time',
      target: { atMost: 0 },
    },
  ]
}

function rangeOf(values: readonly number[]): [number, number] {
  return [Math.min(...values), Math.max(...values)]
}
