import type { GasRow } from './gas/gasRow.ts'
import { measureGas } from './gas.ts'
import { measureGrowth } from './growth.ts'
import { answerParent } from './load/answerParent.ts'
import { type LocalEvaluationRow, measureLocalEvaluation } from './localEvaluation.ts'
import type { PartJob, PartOptions } from './partJob.ts'
import { measureProfile } from './profile.ts'
import { measureProofs } from './proofs.ts'
import type { ReportRow, ReportSection, Target } from './report/benchReport.ts'
import { measureSealing } from './sealing.ts'

const PARTS: Record<PartJob['part'], (options: PartOptions) => Promise<ReportSection>> = {
  local: async () => ({
    title: 'local evaluator',
    rows: localRows(await measureLocalEvaluation()),
    notes: ['Ratio is to the hand-written function; the same policy, requests and verdicts for all.'],
  }),
  gas: async () => ({
    title: 'gas',
    rows: (await measureGas()).map(gasReportRow),
    notes: ['Ratio is to the reference: the ERC-8004 reference contracts, or what the row names.'],
  }),
  sealing: async () => ({
    title: 'sealing and proving the audit log',
    rows: await measureSealing(),
    notes: ['Hashing and tree alone, without the database.'],
  }),
  proofs: async (options) => ({
    title: 'serving proofs of a long log',
    rows: await measureProofs(options),
    notes: [
      'Ratio is to bare Express with an answer as long, asked in turns over one connection.',
      'Times of a wall clock hold whatever else the machine did meanwhile; processor times do not.',
    ],
  }),
  profile: (options) => measureProfile(options),
  growth: (options) => measureGrowth(options),
}

/** Decisions per second, then the latencies; ours alone is held to a target. Source: performance.md "Local evaluator". */
function localRows(engines: readonly LocalEvaluationRow[]): ReportRow[] {
  const limit = engines.find(({ name }) => name === 'hand-written function')?.decisionsPerSecond
  const rates = engines.map(({ name, decisionsPerSecond }, i) => ({
    name,
    value: decisionsPerSecond,
    unit: 'decisions/s',
    ratio: limit && decisionsPerSecond / limit,
    target: i === 0 ? { atLeast: 2_000_000 } : undefined,
  }))
  const latencies = engines.map(({ name, p99Micros }, i) => ({
    name: `${name}, p99`,
    value: p99Micros,
    unit: 'µs',
    target: i === 0 ? { atMost: 2 } : undefined,
  }))
  return [...rates, ...latencies]
}

/** Targets of the rows that are held to a figure rather than to their reference. Source: performance.md "Chain". */
const GAS_TARGETS: readonly [name: string, unit: GasRow['unit'], target: Target][] = [
  ['anchor 1,024 in a log of 65,536', 'gas a record', { atMost: 62 }],
  ['anchor, more per doubling of the log', 'gas', { atMost: 1_200 }],
]

function gasReportRow({ name, ours, reference, ratio, unit }: GasRow): ReportRow {
  const fixed = GAS_TARGETS.find(([start, ofUnit]) => name.startsWith(start) && unit === ofUnit)
  const below = reference !== undefined && unit === 'gas' ? { below: reference } : undefined
  return { name, value: ours, unit, ratio, target: fixed?.[2] ?? below }
}

answerParent<PartJob>(({ part, ...options }) => PARTS[part](options))
