import type { ReportRow, ReportSection } from './benchReport.ts'
import { formatCells } from './formatCells.ts'
import { formatFigure } from './formatFigure.ts'
import { isMet } from './isMet.ts'
import { renderBarChart } from './renderBarChart.ts'
import type { StoredReport } from './storedReports.ts'

/** Only rates are drawn as charts: the longer the bar, the better. */
const DRAWN_UNITS = new Set(['responses/s', 'decisions/s'])
const CHARTS = 'benchmarks'
/** If more processes than this were running before a run, the page marks its figures as provisional. */
const CALM_LOAD = 1

/**
 * Returns docs/benchmarks.md and its charts, by path below docs. They depend only on the stored runs, so they can be
 * checked against them on any machine.
 */
export function renderBenchmarkPages(
  reports: Readonly<Record<string, StoredReport>>,
): ReadonlyMap<string, string> {
  const pages = new Map<string, string>()
  const parts = Object.values(reports).map((report) => {
    const sections = report.sections.map((section) => renderSection(section, pages))
    return [renderPartHead(report), ...sections].join('\n\n')
  })
  const head = `# Benchmarks

This service ("ours") next to its limits and peers, as measured by \`npm run bench -- --keep\` and stored in
\`docs/benchmarks.json\`. Only ratios within one run are meaningful. [performance.md](performance.md) explains the results.

The columns: *ratio* is relative to the limit or reference named below each table, *rounds* gives the slowest and the fastest
round, and a figure marked ✗ misses its target.`
  pages.set('benchmarks.md', `${[head, ...parts].join('\n\n')}\n`)
  return pages
}

function renderPartHead({ command, startedAt, machine, isQuick, wrong }: StoredReport): string {
  const { cores, model, node, platform, fsyncMs, loadBefore } = machine
  const remarks = [
    ...(isQuick ? ['short rounds'] : []),
    ...(loadBefore > CALM_LOAD
      ? [`provisional: ${formatFigure(loadBefore)} other processes were running`]
      : []),
  ]
  const date = startedAt.slice(0, 10)
  return [
    `## \`${command}\``,
    '',
    `${date}, ${cores} cores (${model}), Node ${node}, ${platform}, one fsync ${formatFigure(fsyncMs)} ms${remarks.map((one) => `; ${one}`).join('')}.`,
    ...wrong.map((what) => `\n**Wrong:** ${what}`),
  ].join('\n')
}

function renderSection({ title, rows, notes }: ReportSection, pages: Map<string, string>): string {
  const chart = renderChart(title, rows)
  const picture: string[] = []
  if (chart !== null) {
    const path = `${CHARTS}/${title.toLowerCase().replace(/[^a-z0-9]+/g, '-')}.svg`
    pages.set(path, chart)
    picture.push(`![${title}](${path})`, '')
  }
  return [
    `### ${title[0]?.toUpperCase()}${title.slice(1)}`,
    '',
    ...picture,
    '| | figure | unit | ratio | rounds | target | |',
    '|---|---:|---|---:|---|---|---|',
    ...rows.map(renderRow),
    '',
    ...notes.map((note) => `- ${note}`),
  ].join('\n')
}

function renderRow(row: ReportRow): string {
  const { value, target } = row
  const cells = [...formatCells(row), target === undefined ? '' : isMet(value, target) ? '✓' : '✗']
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
}

function renderChart(title: string, rows: readonly ReportRow[]): string | null {
  const drawn = rows.filter(({ unit }) => DRAWN_UNITS.has(unit))
  const unit = drawn[0]?.unit
  if (unit === undefined || drawn.length < 2) return null
  const bars = drawn.map(({ name, value }) => ({ label: name, value, isOurs: !isPeer(name) }))
  return renderBarChart({ title, unit, bars })
}

/** Recognises peers and limits by their names in the reports. */
function isPeer(name: string): boolean {
  return /^(bare|Express|hand-written|CASL|json|casbin|Cedar)/.test(name)
}
