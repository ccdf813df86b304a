import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type LocalChain, startLocalChain } from '../server/chain/localChain.ts'
import { LOCAL_CHAIN_KEY } from '../server/chain/localNetwork.ts'
import { createMigratedDatabase, hasPostgres } from '../test/harness/database/postgres.ts'
import { findFreePort } from '../test/harness/runner/findFreePort.ts'
import { BY_CONNECTIONS, buildConnectionsSection, rateKey } from './buildConnectionsSection.ts'
import { buildVerifyAccessRequest } from './buildVerifyAccessRequest.ts'
import { balancedOrder } from './load/balancedOrder.ts'
import type { ClosedLoopJob } from './load/closedLoopJob.ts'
import type { LoadRequest } from './load/loadRequest.ts'
import { runClosedLoop } from './load/runClosedLoop.ts'
import type { RunningServer } from './load/startServer.ts'
import { waitUntilCalm } from './load/waitUntilCalm.ts'
import { watchSessions } from './load/watchSessions.ts'
import type { ReportSection } from './report/benchReport.ts'
import { setUpVerifyAccess } from './setUpVerifyAccess.ts'
import { startOwnService } from './startOwnService.ts'
import { startPeer } from './startPeer.ts'

const CONNECTIONS = [1, 64, 512]
const PACE = {
  quick: { rounds: 1, seconds: 1, patienceMs: 3_000 },
  usual: { rounds: 3, seconds: 4, patienceMs: 15_000 },
}
/** 32 bytes, for databases that exist only during the run. */
const SECRETS_KEY = Buffer.alloc(32, 'bench').toString('base64')

type Contender = { name: string; server: RunningServer; request: LoadRequest; databaseUrl?: string }

/**
 * Measures our verified branch, bare Express and the peer that commits each request in turn, at 1, 64 and 512 connections:
 * ours on SQLite, on PostgreSQL with one server process, and on PostgreSQL with two.
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
    // One at a time, so that each one that has started is stopped if a later one fails.
    contenders.push({ name: BY_CONNECTIONS.express, ...(await startPeer('bareExpress', folder)) })
    contenders.push({ name: BY_CONNECTIONS.commit, ...(await startPeer('sqliteCommit', folder)) })
    contenders.push(await startOurs(BY_CONNECTIONS.sqlite, join(folder, 'sqlite'), {}))
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
      const name = nth === 0 ? BY_CONNECTIONS.postgres : BY_CONNECTIONS.twoProcesses
      const contender = await startOurs(name, join(folder, `postgres-${nth}`), settings)
      contenders.push({ ...contender, databaseUrl: database.url })
    }
    const rates = new Map<string, number[]>()
    const locked = new Map<string, number[]>()
    for (const connections of CONNECTIONS) {
      for (let round = 0; round <= rounds; round += 1) {
        for (const { name, server, request, databaseUrl } of balancedOrder(contenders, Math.max(round, 1))) {
          const key = rateKey(name, connections)
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
          if (round > 0) logProgress(`${key}: ${Math.round(rate)}/s`)
        }
      }
    }
    return buildConnectionsSection({ connections: CONNECTIONS, rates, locked })
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
