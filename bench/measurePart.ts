import type { GasRow } from './gas/gasRow.ts'
import { measureGas } from './gas.ts'
import { measureGate } from './gate.ts'
import { measureGrowth } from './growth.ts'
import { respondToParent } from './load/respondToParent.ts'
import { buildLocalRows } from './localEvaluation/buildLocalRows.ts'
import { measureLocalEvaluation } from './localEvaluation.ts'
import type { PartJob, PartOptions } from './partJob.ts'
import { measureProfile } from './profile.ts'
import { measureProofs } from './proofs.ts'
import { measureReceipts } from './receipts.ts'
import type { ReportRow, ReportSection, Target } from './report/benchReport.ts'
import { measureReuse } from './reuse.ts'
import { measureScaling } from './scaling.ts'
import { measureSealing } from './sealing.ts'

const PARTS: Record<PartJob['part'], (options: PartOptions) => Promise<ReportSection>> = {
  local: async () => ({
    title: 'local evaluator',
    rows: buildLocalRows(await measureLocalEvaluation()),
    notes: [
      'Of the requests, 65 % are granted, 20 % denied, and 15 % held for their value, which the peers can only deny.',
      'The ratio is relative to the hand-written function. All engines have the same policy, requests and verdicts.',
    ],
  }),
  gas: async (options) => ({
    title: 'gas',
    rows: (await measureGas(options)).map(buildGasReportRow),
    notes: [
      'The ratio is relative to the reference: the ERC-8004 reference contracts, or the one named in the row.',
    ],
  }),
  sealing: async () => ({
    title: 'sealing and proving the audit log',
    rows: await measureSealing(),
    notes: ['Hashing and tree only, without the database.'],
  }),
  proofs: async (options) => ({
    title: 'serving proofs of a long log',
    rows: await measureProofs(options),
    notes: [
      'The ratio is relative to bare Express with a response of the same length; both are measured alternately over one connection.',
      'Wall-clock times include whatever else the machine was doing; CPU times do not.',
    ],
  }),
  receipts: async (options) => ({
    title: 'receipts and reused grants',
    rows: [...(await measureReceipts(options)), ...(await measureReuse(options))],
    notes: [
      'Receipts are checked one after another, routes loaded over 16 connections. Each ratio is the median of those of all rounds.',
      'Every request to a route has a signature of its own. With a grant at hand, each is verified, and reported to a registry on the same machine.',
    ],
  }),
  scaling: (options) => measureScaling(options),
  gate: async (options) => ({
    title: 'svc-gate as a reverse proxy',
    rows: await measureGate(options),
    notes: [
      'All proxies stand before the same server and get the same signed requests over 16 connections; times are those over one.',
      'The registry is on the same machine and grants without a decision. Each ratio is the median of those of all rounds.',
    ],
  }),
  profile: (options) => measureProfile(options),
  growth: (options) => measureGrowth(options),
}

/** The rows whose target is a fixed figure instead of their reference. Source: docs/performance.md. */
const GAS_TARGETS: readonly [name: string, unit: GasRow['unit'], target: Target][] = [
  ['anchor 1,024 in a log of 65,536', 'gas per record', { atMost: 62 }],
  ['anchor, additional gas per doubling of the log', 'gas', { atMost: 1_200 }],
]

function buildGasReportRow({ name, ours, limit, ratio, unit }: GasRow): ReportRow {
  const fixed = GAS_TARGETS.find(([start, ofUnit]) => name.startsWith(start) && unit === ofUnit)
  const below = limit === undefined ? undefined : { below: limit }
  return { name, value: ours, unit, ratio, target: fixed?.[2] ?? below }
}

respondToParent<PartJob>(({ part, ...options }) => PARTS[part](options))
