import type { LocalEvaluationRow } from '../localEvaluation.ts'
import type { ReportRow } from '../report/benchReport.ts'

/** Decisions per second of the local evaluator over those of its limit and of a peer. Source: docs/performance.md. */
const TARGETS = [
  ['hand-written function', 0.7],
  ['CASL', 2],
] as const

/** Decisions per second, then latencies; only the local evaluator, which is the first row, has targets. */
export function buildLocalRows(engines: readonly LocalEvaluationRow[]): ReportRow[] {
  const rateOf = (name: string) => engines.find((engine) => engine.name === name)?.decisionsPerSecond
  const [own] = engines
  const limit = rateOf('hand-written function')
  const rates = engines.map(({ name, decisionsPerSecond }) => ({
    name,
    value: decisionsPerSecond,
    unit: 'decisions/s',
    ratio: limit && decisionsPerSecond / limit,
  }))
  const grants = engines.map(({ name, grantsPerSecond }) => ({
    name: `${name}, grants only`,
    value: grantsPerSecond,
    unit: 'decisions/s',
  }))
  const latencies = engines.map(({ name, p99Micros }, i) => ({
    name: `${name}, p99`,
    value: p99Micros,
    unit: 'µs',
    target: i === 0 ? { atMost: 2 } : undefined,
  }))
  const ratios = TARGETS.flatMap(([peer, atLeast]) => {
    const [ours, theirs] = [own?.decisionsPerSecond, rateOf(peer)]
    if (ours === undefined || theirs === undefined) return []
    return [{ name: `local evaluator / ${peer}`, value: ours / theirs, unit: '×', target: { atLeast } }]
  })
  return [...rates, ...grants, ...latencies, ...ratios]
}
