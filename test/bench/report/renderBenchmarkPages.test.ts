import { expect } from 'chai'
import { renderBenchmarkPages } from '../../../bench/report/renderBenchmarkPages.ts'
import type { StoredReport } from '../../../bench/report/storedReports.ts'

const report: StoredReport = {
  command: 'npm run bench -- --only http',
  startedAt: '2026-11-21T10:00:00.000Z',
  machine: {
    cores: 2,
    model: 'Some CPU',
    node: 'v24.21.0',
    platform: 'linux x64',
    fsyncMs: 0.4,
    loadBefore: 0.5,
  },
  isQuick: false,
  sections: [
    {
      title: 'verify-access, closed loop',
      rows: [
        { name: 'bare Express 5', value: 20_000, unit: 'responses/s', ratio: 1, range: [19_000, 21_000] },
        { name: 'ours | verified', value: 13_000, unit: 'responses/s', ratio: 0.65 },
        { name: 'ours / Express', value: 0.65, unit: '×', target: { atLeast: 0.6, floor: 0.4 } },
      ],
      notes: ['a note'],
    },
  ],
  wrong: [],
}
const pageOf = (changes: Partial<StoredReport> = {}) => {
  const pages = renderBenchmarkPages({ http: { ...report, ...changes } })
  return { pages, text: pages.get('benchmarks.md') ?? '' }
}

describe('renderBenchmarkPages', () => {
  it('names the command, the date and the machine', () => {
    const { text } = pageOf()
    expect(text).to.include('## `npm run bench -- --only http`')
    expect(text).to.include('2026-11-21, 2 cores (Some CPU), Node v24.21.0, linux x64, one fsync 0.40 ms.')
  })

  it('shows every figure with its ratio, rounds, target and verdict', () => {
    const { text } = pageOf()
    expect(text).to.include('| bare Express 5 | 20,000 | responses/s | 1 × | 19,000 – 21,000 |  |  |')
    expect(text).to.include('| ours / Express | 0.65 | × |  |  | ≥ 0.60, floor 0.40 | ✓ |')
    expect(text).to.include('ours \\| verified')
    expect(text).to.include('- a note')
  })

  it('draws a chart of the rates of a section', () => {
    const { pages, text } = pageOf()
    const path = 'benchmarks/verify-access-closed-loop.svg'
    expect([...pages.keys()]).to.deep.equal([path, 'benchmarks.md'])
    expect(text).to.include(`](${path})`)
    expect(pages.get(path)).to.match(/class="peer"[\s\S]*class="ours"/)
  })

  it('says what makes figures provisional or meaningless', () => {
    const { text } = pageOf({
      isQuick: true,
      machine: { ...report.machine, loadBefore: 8 },
      wrong: ['an answer'],
    })
    expect(text).to.include('; short rounds; provisional: 8 other processes were running.')
    expect(text).to.include('**Wrong:** an answer')
  })
})
