import { barChart } from './barChart.ts'
import type { ReportRow, ReportSection } from './benchReport.ts'
import { cellsOf } from './cellsOf.ts'
import { figureText } from './figureText.ts'
import { isMet } from './isMet.ts'
import type { KeptReport } from './keptReports.ts'

/** Rates are what is worth a picture: the longer the better. */
const DRAWN_UNITS = new Set(['answers/s', 'decisions/s'])
const CHARTS = 'benchmarks'
/** More processes than this before a run, and the page says that its figures are provisional. */
const CALM_LOAD = 1

/**
 * docs/benchmarks.md and its charts, by path below docs: made of the kept runs alone, so that they can be checked against
 * them anywhere.
 */
export function benchmarkPages(reports: Readonly<Record<string, KeptReport>>): ReadonlyMap<string, string> {
  const pages = new Map<string, string>()
  const parts = Object.values(reports).map((report) => {
    const sections = report.sections.map((section) => sectionText(section, pages))
    return [partHead(report), ...sections].join('\n\n')
  })
  const head = `# Benchmarks

Ours beside its limits and peers, as \`npm run bench -- --keep\` has kept them in \`docs/benchmarks.json\`. Only ratios of one run
mean anything. What makes it quick, and what limits it, is in [performance.md](performance.md).`
  pages.set('benchmarks.md', `${[head, ...parts].join('\n\n')}\n`)
  return pages
}

function partHead({ command, startedAt, machine, isQuick, wrong }: KeptReport): string {
  const { cores, model, node, platform, fsyncMs, loadBefore } = machine
  const remarks = [
    ...(isQuick ? ['short rounds'] : []),
    ...(loadBefore > CALM_LOAD ? [`provisional: ${figureText(loadBefore)} processes ran beside it`] : []),
  ]
  const date = startedAt.slice(0, 10)
  return [
    `## \`${command}\``,
    '',
    `${date}, ${cores} cores (${model}), Node ${node}, ${platform}, one fsync ${figureText(fsyncMs)} ms${remarks.map((one) => `; ${one}`).join('')}.`,
    ...wrong.map((what) => `\n**Wrong:** ${what}`),
  ].join('\n')
}

function sectionText({ title, rows, notes }: ReportSection, pages: Map<string, string>): string {
  const chart = chartOf(title, rows)
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
    ...rows.map(rowText),
    '',
    ...notes.map((note) => `- ${note}`),
  ].join('\n')
}

function rowText(row: ReportRow): string {
  const { value, target } = row
  const cells = [...cellsOf(row), target === undefined ? '' : isMet(value, target) ? '✓' : '✗']
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
}

function chartOf(title: string, rows: readonly ReportRow[]): string | null {
  const drawn = rows.filter(({ unit }) => DRAWN_UNITS.has(unit))
  const unit = drawn[0]?.unit
  if (unit === undefined || drawn.length < 2) return null
  const bars = drawn.map(({ name, value }) => ({ label: name, value, isOurs: !isPeer(name) }))
  return barChart({ title, unit, bars })
}

/** Peers and limits by their names in the reports. */
function isPeer(name: string): boolean {
  return /^(bare|Express|hand-written|CASL|json|casbin|Cedar)/.test(name)
}
