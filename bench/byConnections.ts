import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type LocalChain, startLocalChain } from '../server/chain/localChain.ts'
import { LOCAL_CHAIN_KEY } from '../server/chain/localNetwork.ts'
import { createMigratedDatabase, hasPostgres } from '../test/harness/database/postgres.ts'
import { findFreePort } from '../test/harness/runner/findFreePort.ts'
import { buildVerifyAccessRequest } from './buildVerifyAccessRequest.ts'
import type { ClosedLoopJob } from './load/closedLoopJob.ts'
import type { LoadRequest } from './load/loadRequest.ts'
import { median } from './load/median.ts'
import { runClosedLoop } from './load/runClosedLoop.ts'
import type { RunningServer } from './load/startServer.ts'
import { waitUntilCalm } from './load/waitUntilCalm.ts'
import { watchSessions } from './load/watchSessions.ts'
import type { ReportRow, ReportSection } from './report/benchReport.ts'
import { setUpVerifyAccess } from './setUpVerifyAccess.ts'
import { startExpress } from './startExpress.ts'
import { startOwnService } from './startOwnService.ts'

const CONNECTIONS = [1, 64, 512]
const PACE = {
  quick: { rounds: 1, seconds: 1, patienceMs: 3_000 },
  usual: { rounds: 3, seconds: 4, patienceMs: 15_000 },
}
const EXPRESS = 'bare Express 5'
/** 32 bytes, for databases that exist only during the run. */
const SECRETS_KEY = Buffer.alloc(32, 'bench').toString('base64')

type Contender = { name: string; server: RunningServer; request: LoadRequest; databaseUrl?: string }

/**
 * Measures our verified branch and bare Express alternately, at 1, 64 and 512 connections: ours on SQLite, on PostgreSQL
 * with one server process, and on PostgreSQL with two.
 *
 * PostgreSQL is a private cluster on the same cores, with fsync. If Debian's package is not installed, a note says so.
 *
 * @throws Error if a response is wrong. Source: docs/performance.md.
 */
export async function measureByConnections(
  isQuick: boolean,
  logProgress: (what: string) => void,
): Promise<ReportSection> {
  const { rounds, seconds, patienceMs } = isQuick ? PACE.quick : PACE.usual
  mkdirSync('bench/results', { recursive: true })
  const folder = mkdtempSync('bench/results/run-')
  const contenders: Contender[] = []
  const databases = hasPostgres ? [await createMigratedDatabase(), await createMigratedDatabase()] : []
  const chains: LocalChain[] = []
  try {
    contenders.push(
      { name: EXPRESS, ...(await startExpress(folder)) },
      await startOurs('ours, SQLite', join(folder, 'sqlite'), {}),
    )
    for (const [nth, database] of databases.entries()) {
      // Processes that share a chain cannot each start it, and two services cannot share a relayer account.
      const chain = await startLocalChain(await findFreePort())
      chains.push(chain)
      const settings = {
        DATABASE_URL: database.url,
        SECRETS_KEY,
        WORKERS: String(nth + 1),
        RPC_URL: chain.url,
        RELAYER_PRIVATE_KEY: LOCAL_CHAIN_KEY,
        CONFIRMATIONS: '1',
        ALLOW_PRIVATE_NETWORK: 'true',
      }
      const name = nth === 0 ? 'ours, PostgreSQL' : 'ours, PostgreSQL, 2 processes'
      const contender = await startOurs(name, join(folder, `postgres-${nth}`), settings)
      contenders.push({ ...contender, databaseUrl: database.url })
    }
    const rates = new Map<string, number[]>()
    const locked = new Map<string, number[]>()
    for (const connections of CONNECTIONS) {
      for (let round = 0; round <= rounds; round += 1) {
        for (const { name, server, request, databaseUrl } of contenders) {
          const key = `${name}, ${connections}`
          const earlier = rates.get(key)
          await waitUntilCalm(patienceMs)
          const amount = Math.max(connections, Math.round((earlier?.at(-1) ?? 500) * seconds))
          const run = () => measureRate({ url: server.url, request, connections, amount })
          const watched = databaseUrl === undefined ? null : await watchSessions(databaseUrl, run)
          const rate = watched === null ? await run() : watched.result
          if (watched !== null && round > 0)
            locked.set(key, [...(locked.get(key) ?? []), watched.shares.logLocked])
          // The first round only warms up and determines the number of requests of the next.
          rates.set(key, round <= 1 ? [rate] : [...(earlier ?? []), rate])
          if (round > 0) logProgress(`${key} connections: ${Math.round(rate)}/s`)
        }
      }
    }
    return {
      title: 'verify-access, verified branch, by connections and database',
      rows: [
        ...CONNECTIONS.flatMap((connections) =>
          contenders.map(({ name }) => buildRow(name, connections, rates)),
        ),
        ...[...locked].map(([key, shares]) => buildLockedRow(key, shares)),
      ],
      notes: [
        'The ratio is relative to bare Express with the same number of connections. PostgreSQL shares the cores with the service and the load generator.',
        'The log is locked while committed records get their places in it. No answer waits for that lock.',
        'Two processes need a core each, in addition to those of the load generator and PostgreSQL. With fewer cores the figures show the cost of sharing, not the gain.',
        ...(databases.length === 0 ? ['PostgreSQL is not installed here and was not measured.'] : []),
      ],
    }
  } finally {
    for (const { server } of contenders) await server.stop()
    for (const database of databases) await database.drop()
    for (const chain of chains) await chain.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function startOurs(
  name: string,
  dataDir: string,
  settings: Record<string, string>,
): Promise<Contender> {
  const server = await startOwnService(dataDir, { settings })
  try {
    return { name, server, request: buildVerifyAccessRequest(await setUpVerifyAccess(server.url)) }
  } catch (error) {
    await server.stop()
    throw error
  }
}

async function measureRate(job: ClosedLoopJob): Promise<number> {
  const { right, wrong, seconds } = await runClosedLoop(job)
  if (wrong.length > 0) throw new Error(`${job.connections} connections: ${wrong.join('; ')}`)
  return right / seconds
}

function buildLockedRow(key: string, shares: readonly number[]): ReportRow {
  const percent = shares.map((share) => share * 100)
  return {
    name: `${key.replace(/\d+$/, (count) => formatConnections(Number(count)))}: time the log is locked`,
    value: median(percent),
    unit: '% of the time',
    range: [Math.min(...percent), Math.max(...percent)],
  }
}

function buildRow(
  name: string,
  connections: number,
  rates: ReadonlyMap<string, readonly number[]>,
): ReportRow {
  const of = (contender: string) => rates.get(`${contender}, ${connections}`) ?? []
  const value = median(of(name))
  return {
    name: `${name}, ${formatConnections(connections)}`,
    value,
    unit: 'responses/s',
    ratio: value / median(of(EXPRESS)),
    range: [Math.min(...of(name)), Math.max(...of(name))],
  }
}

function formatConnections(count: number): string {
  return `${count} ${count === 1 ? 'connection' : 'connections'}`
}
