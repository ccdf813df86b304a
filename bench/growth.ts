import { mkdirSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { buildVerifyAccessRequest } from './buildVerifyAccessRequest.ts'
import { fillDatabase, grownAgentId } from './growth/fillDatabase.ts'
import type { GrowthSizes } from './growth/growthSizes.ts'
import type { ClosedLoopJob } from './load/closedLoopJob.ts'
import type { LoadRequest } from './load/loadRequest.ts'
import { median } from './load/median.ts'
import { runClosedLoop } from './load/runClosedLoop.ts'
import type { RunningServer } from './load/startServer.ts'
import { waitUntilCalm } from './load/waitUntilCalm.ts'
import type { ReportRow, ReportSection } from './report/benchReport.ts'
import { setUpVerifyAccess } from './setUpVerifyAccess.ts'
import { startOwnService } from './startOwnService.ts'

const CONNECTIONS = 64
/** Agents that take turns in the load, spread over all agents; the same number in both databases. */
const ASKING = 500
const SIZES = {
  quick: { agents: 5_000, endpoints: 5_000, events: 20_000 },
  usual: { agents: 20_000, endpoints: 20_000, events: 200_000 },
  full: { agents: 1_000_000, endpoints: 1_000_000, events: 10_000_000 },
}
/** Disk space of one row, including indexes, feed and tree. */
const BYTES = { agents: 2_500, endpoints: 1_500, events: 3_000 }
const PACE = {
  quick: { rounds: 3, seconds: 1, patienceMs: 5_000 },
  usual: { rounds: 5, seconds: 4, patienceMs: 60_000 },
}
/** Fixed, because the port changes at the second start and a new URL would make the service rewrite registration files. */
const SETTINGS = { PUBLIC_URL: 'http://bench.invalid' }
/** How long the feed, sealing and anchoring may take to process the new events before the load begins. */
const SETTLE_MS = 600_000

type Options = { isQuick: boolean; isFull: boolean }

type Contender = { server: RunningServer; request: LoadRequest; readySeconds: number; rates: number[] }

/**
 * Measures verify-access alternately on an almost empty database and on a large one.
 *
 * The service creates both and is restarted after the rows are added; 500 agents take turns in the load. The databases are
 * in the project's folder and are removed afterwards.
 *
 * @throws Error if the disk is too small or a response is wrong.
 * Source: docs/performance.md (1 M agents, 1 M endpoints, 10 M events: ≥ 0.9 of an empty database).
 */
export async function measureGrowth({ isQuick, isFull }: Options): Promise<ReportSection> {
  const sizes = isFull ? SIZES.full : isQuick ? SIZES.quick : SIZES.usual
  const { rounds, seconds, patienceMs } = isQuick ? PACE.quick : PACE.usual
  mkdirSync('bench/results', { recursive: true })
  requireRoom(sizes)
  const folder = mkdtempSync('bench/results/run-')
  const contenders: Contender[] = []
  try {
    const empty = await startContender(join(folder, 'empty'), { agents: ASKING, endpoints: 0, events: 0 })
    contenders.push(empty)
    const full = await startContender(join(folder, 'full'), sizes)
    contenders.push(full)
    logProgress('waiting for the feed and for sealing')
    await waitUntilCalm(isQuick ? patienceMs : SETTLE_MS)
    for (const one of contenders) await measureRate(one, seconds * 1_000)
    let busyRounds = 0
    for (let round = 1; round <= rounds; round += 1) {
      for (const one of contenders) {
        if (!(await waitUntilCalm(patienceMs))) busyRounds += 1
        one.rates.push(await measureRate(one, Math.round((one.rates.at(-1) ?? 1_000) * seconds)))
      }
      logProgress(
        `round ${round} of ${rounds}: ${contenders.map(({ rates }) => Math.round(rates.at(-1) ?? 0)).join(', ')}/s`,
      )
    }
    return {
      title: 'growth, verify-access, 64 connections',
      rows: buildRows(empty, full, sizes),
      notes: [
        `${ASKING} agents take turns in both databases. The ratio is relative to the almost empty one; rounds are the slowest and the fastest.`,
        `Agents and endpoints are copies of rows written by the service; events come from its own recorder and projection.`,
        ...(busyRounds > 0
          ? [`${busyRounds} of ${2 * rounds} rounds began on a busy machine: provisional.`]
          : []),
      ],
    }
  } finally {
    for (const { server } of contenders) await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Sets up a service, stops it, adds the rows and starts it again. */
async function startContender(dataDir: string, sizes: GrowthSizes): Promise<Contender> {
  const first = await startOwnService(dataDir, { settings: SETTINGS })
  const names = await setUpVerifyAccess(first.url).finally(() => first.stop())
  const files = { databaseFile: join(dataDir, 'svc.sqlite'), feedFile: join(dataDir, 'feed.sqlite') }
  await fillDatabase(files, sizes, logProgress)
  const begin = performance.now()
  const server = await startOwnService(dataDir, { settings: SETTINGS })
  const readySeconds = (performance.now() - begin) / 1_000
  const request = buildVerifyAccessRequest(names)
  const step = Math.floor(sizes.agents / ASKING)
  const bodies = Array.from({ length: ASKING }, (_, at) =>
    JSON.stringify({ ...JSON.parse(request.body), agentId: grownAgentId(1 + at * step) }),
  )
  return { server, request: { ...request, bodies }, readySeconds, rates: [] }
}

async function measureRate({ server, request }: Contender, amount: number): Promise<number> {
  const job: ClosedLoopJob = {
    url: server.url,
    request,
    connections: CONNECTIONS,
    amount: Math.max(amount, ASKING),
  }
  const { right, wrong, seconds } = await runClosedLoop(job)
  if (wrong.length > 0) throw new Error(wrong.join('; '))
  return right / seconds
}

function buildRows(empty: Contender, full: Contender, sizes: GrowthSizes): ReportRow[] {
  const named = (count: number) => count.toLocaleString('en')
  const grown = `${named(sizes.agents)} agents, ${named(sizes.endpoints)} endpoints, ${named(sizes.events)} events`
  const [base, rate] = [median(empty.rates), median(full.rates)]
  const range = ({ rates }: Contender): [number, number] => [Math.min(...rates), Math.max(...rates)]
  const pair = (what: string, unit: string, figure: (one: Contender) => number): ReportRow[] => [
    { name: `${what}, almost empty`, value: figure(empty), unit },
    { name: `${what}, ${grown}`, value: figure(full), unit, ratio: figure(full) / figure(empty) },
  ]
  return [
    { name: 'almost empty', value: base, unit: 'responses/s', ratio: 1, range: range(empty) },
    { name: grown, value: rate, unit: 'responses/s', ratio: rate / base, range: range(full) },
    { name: 'large / almost empty', value: rate / base, unit: '×', target: { atLeast: 0.95 } },
    ...pair('time until ready', 's', ({ readySeconds }) => readySeconds),
    ...pair('memory after load', 'MB', ({ server }) => server.residentMb()),
  ]
}

function requireRoom(sizes: GrowthSizes): void {
  const wanted = sizes.agents * BYTES.agents + sizes.endpoints * BYTES.endpoints + sizes.events * BYTES.events
  const { bavail, bsize } = statfsSync('bench/results')
  if (bavail * bsize < wanted * 1.2) {
    throw new Error(
      `the large database takes about ${Math.ceil(wanted / 1e9)} GB, and the disk has less space`,
    )
  }
}

function logProgress(what: string): void {
  process.stderr.write(`bench: growth: ${what}\n`)
}
