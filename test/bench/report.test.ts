import { expect } from 'chai'
import type { BenchReport, ReportRow } from '../../bench/report/benchReport.ts'
import { renderReport } from '../../bench/report.ts'

const reportOf = (rows: ReportRow[], wrong: string[] = []): BenchReport => ({
  startedAt: '2025-11-20T10:00:00.000Z',
  machine: {
    cores: 2,
    model: 'Some CPU',
    node: 'v24.21.0',
    platform: 'linux x64',
    fsyncMs: 0.412,
    loadBefore: 0.5,
  },
  isQuick: false,
  sections: [{ title: 'a section', rows, notes: ['a note'] }],
  wrong,
})
const linesOf = (report: BenchReport) => renderReport(report).split('\n')
const lineOf = (report: BenchReport, start: string) =>
  linesOf(report).find((line) => line.startsWith(start)) ?? ''

describe('the bench report', () => {
  const rows: ReportRow[] = [
    { name: 'limit', value: 23_000.4, unit: 'responses/s', ratio: 1, range: [21_000, 24_000] },
    { name: 'ours', value: 13_912, unit: 'responses/s', ratio: 0.6048 },
    { name: 'ours / limit', value: 0.6048, unit: '×', target: { atLeast: 0.6, floor: 0.4 } },
    { name: 'p99', value: 3.5, unit: '×', target: { atMost: 3 } },
  ]

  it('names the machine, its disk and its load', () => {
    expect(linesOf(reportOf(rows))[1]).to.equal(
      '2 cores (Some CPU), Node v24.21.0, linux x64, one fsync 0.412 ms, load before 0.50',
    )
  })

  it('aligns figures to the right and units to the left', () => {
    const report = reportOf(rows)
    const starts = ['limit ', 'ours ', 'ours /', 'p99'].map((name) => lineOf(report, name))
    const unitColumns = starts.map((line) => line.search(/responses\/s|× {2,}/))
    expect(new Set(unitColumns)).to.have.length(1)
    expect(starts.map((line) => line.charAt((unitColumns[0] ?? 0) - 3))).to.deep.equal(['0', '2', '5', '5'])
  })

  it('shows a target with its floor, and whether the figure meets it', () => {
    expect(lineOf(reportOf(rows), 'ours /')).to.match(/≥ 0\.60, floor 0\.40 +✓$/)
    expect(lineOf(reportOf(rows), 'p99')).to.match(/≤ 3 +✗$/)
  })

  it('says if a figure is below its floor', () => {
    const row: ReportRow = { name: 'slow', value: 0.39, unit: '×', target: { atLeast: 0.6, floor: 0.4 } }
    expect(lineOf(reportOf([row]), 'slow')).to.match(/✗ below the floor$/)
  })

  it('counts the targets met, and lists what was wrong', () => {
    const report = reportOf(rows, ['ours: 3 answers were not 200'])
    expect(linesOf(report)).to.include.members(['1 of 2 targets met', 'WRONG: ours: 3 answers were not 200'])
  })

  it('renders a figure that could not be measured as a dash that meets no target', () => {
    const row: ReportRow = { name: 'absent', value: Number.NaN, unit: '×', target: { atLeast: 1 } }
    expect(lineOf(reportOf([row]), 'absent')).to.match(/– +× +≥ 1 +✗$/)
  })
})
