import type { BenchReport, ReportRow, ReportSection, Target } from './report/benchReport.ts'
import { formatCells } from './report/formatCells.ts'
import { formatFigure } from './report/formatFigure.ts'
import { isMet } from './report/isMet.ts'

const HEADINGS = ['', 'figure', 'unit', 'ratio', 'rounds', 'target', '']
/** Columns of figures. */
const RIGHT_ALIGNED = new Set([1, 3])

/** Renders the report as one table with aligned columns per section, for a terminal or a file. */
export function renderReport(report: BenchReport): string {
  const lines = [
    ...renderHead(report),
    ...report.sections.flatMap(renderSection),
    '',
    ...renderVerdicts(report),
  ]
  return `${lines.join('\n')}\n`
}

function renderSection({ title, rows, notes }: ReportSection): string[] {
  const cells = rows.map(formatJudgedCells)
  const widths = HEADINGS.map((heading, column) =>
    Math.max(heading.length, ...cells.map((row) => row[column]?.length ?? 0)),
  )
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => pad(cell, widths[column] ?? 0, column))
      .join('  ')
      .trimEnd()
  const headings = HEADINGS.map((heading, column) => (column === 0 ? '─'.repeat(widths[0] ?? 0) : heading))
  return ['', title, line(headings), ...cells.map(line), ...notes.map((note) => `  ${note}`)]
}

function pad(cell: string, width: number, column: number): string {
  return RIGHT_ALIGNED.has(column) ? cell.padStart(width) : cell.padEnd(width)
}

function renderHead({ machine, startedAt, isQuick }: BenchReport): string[] {
  const { cores, model, node, platform, fsyncMs, loadBefore } = machine
  return [
    `Bench of ${startedAt}${isQuick ? ', short rounds' : ''}`,
    `${cores} cores (${model}), Node ${node}, ${platform}, one fsync ${formatFigure(fsyncMs)} ms, load before ${formatFigure(loadBefore)}`,
  ]
}

function formatJudgedCells(row: ReportRow): string[] {
  return [...formatCells(row), row.target === undefined ? '' : describeVerdict(row.value, row.target)]
}

function describeVerdict(value: number, target: Target): string {
  if (isMet(value, target)) return '✓'
  return 'atLeast' in target && target.floor !== undefined && !(value >= target.floor)
    ? '✗ below the floor'
    : '✗'
}

function renderVerdicts({ sections, wrong }: BenchReport): string[] {
  const judged = sections.flatMap(({ rows }) => rows.filter(({ target }) => target !== undefined))
  const met = judged.filter(({ value, target }) => target !== undefined && isMet(value, target))
  return [`${met.length} of ${judged.length} targets met`, ...wrong.map((what) => `WRONG: ${what}`)]
}
