import { median } from './load/median.ts'
import type { ReportRow, ReportSection } from './report/benchReport.ts'

/** The servers that are loaded with different numbers of connections. */
export const BY_CONNECTIONS = {
  express: 'bare Express 5',
  commit: 'Express, better-sqlite3, one commit per request',
  sqlite: 'ours, SQLite',
  postgres: 'ours, PostgreSQL',
  twoProcesses: 'ours, PostgreSQL, 2 processes',
} as const

/** Rounds by server and number of connections, as `rateKey` joins them. */
type Rounds = ReadonlyMap<string, readonly number[]>

export type ConnectionsFigures = {
  readonly connections: readonly number[]
  /** Responses per second. */
  readonly rates: Rounds
  /** Share of the time for which the log was locked. */
  readonly locked: Rounds
}

/** Of one server over another, with a number of connections. Source: docs/performance.md. */
const TARGETS = [
  { of: BY_CONNECTIONS.sqlite, to: BY_CONNECTIONS.commit, connections: 1, atLeast: 0.9 },
  { of: BY_CONNECTIONS.postgres, to: BY_CONNECTIONS.express, connections: 64, atLeast: 0.5 },
  { of: BY_CONNECTIONS.twoProcesses, to: BY_CONNECTIONS.postgres, connections: 64, atLeast: 1 },
] as const

export function rateKey(name: string, connections: number): string {
  return `${name}, ${connections} ${connections === 1 ? 'connection' : 'connections'}`
}

/** Builds the report's section on connections and databases: medians of the rounds, with targets. */
export function buildConnectionsSection({ connections, rates, locked }: ConnectionsFigures): ReportSection {
  const keys = connections.flatMap((count) =>
    Object.values(BY_CONNECTIONS).map((name) => ({ key: rateKey(name, count), count })),
  )
  const measured = keys.filter(({ key }) => rates.has(key))
  const isPostgresMissing = !measured.some(({ key }) => key.startsWith(BY_CONNECTIONS.postgres))
  return {
    title: 'verify-access, verified branch, by connections and database',
    rows: [
      ...measured.map(({ key, count }) => buildRateRow(key, count, rates)),
      ...measured.flatMap(({ key }) => buildLockedRow(key, locked.get(key))),
      ...TARGETS.flatMap((target) => buildTargetRow(target, rates)),
    ],
    notes: [
      'The ratio is relative to bare Express with the same number of connections. PostgreSQL shares the cores with the service and the load generator.',
      'The log is locked while committed records get their places in it. No answer waits for that lock.',
      'Two processes need a core each, in addition to those of the load generator and PostgreSQL. With fewer cores the figures show the cost of sharing, not the gain.',
      ...(isPostgresMissing ? ['PostgreSQL is not installed here and was not measured.'] : []),
    ],
  }
}

function buildRateRow(name: string, connections: number, rates: Rounds): ReportRow {
  const rounds = rates.get(name) ?? []
  const value = median(rounds)
  const ratio = value / median(rates.get(rateKey(BY_CONNECTIONS.express, connections)) ?? [])
  return { name, value, unit: 'responses/s', ratio, range: [Math.min(...rounds), Math.max(...rounds)] }
}

function buildLockedRow(key: string, shares: readonly number[] | undefined): ReportRow[] {
  if (!shares) return []
  const percent = shares.map((share) => share * 100)
  const range = [Math.min(...percent), Math.max(...percent)] as const
  return [{ name: `${key}: time the log is locked`, value: median(percent), unit: '% of the time', range }]
}

function buildTargetRow(
  { of, to, connections, atLeast }: (typeof TARGETS)[number],
  rates: Rounds,
): ReportRow[] {
  const [ours, theirs] = [of, to].map((name) => rates.get(rateKey(name, connections)))
  if (!ours || !theirs) return []
  const name = rateKey(`${of} / ${to}`, connections)
  return [{ name, value: median(ours) / median(theirs), unit: '×', target: { atLeast } }]
}
