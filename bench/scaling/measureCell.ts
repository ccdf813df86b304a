import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { median } from '../load/median.ts'
import { readCoreTimes } from '../load/readCoreTimes.ts'
import { runClosedLoop } from '../load/runClosedLoop.ts'
import { watchSessions } from '../load/watchSessions.ts'
import type { ScalingService } from './openScalingService.ts'
import { readCpuSeconds, readParentPid } from './readCpuSeconds.ts'
import type { CellFigures, ScalingCell } from './scalingFigures.ts'

/** Connections of each process by default. */
const CONNECTIONS = 256
/** How long committed records may wait for their places after a load, on any disk. */
const PLACED_MS = 30_000

type Target = Pick<ScalingService, 'servers' | 'requests'> & Partial<ScalingService>

/**
 * Loads all processes of a service at the same time; checks every response, and that each has one record in the log.
 *
 * @param amount Responses in total.
 * @returns The figures, and what was wrong with responses.
 * @throws Error if a record is missing or has no place after half a minute.
 */
export async function measureCell(
  { servers, requests, databaseUrl, countRecords }: Target,
  caps: ScalingCell['caps'],
  amount: number,
  connections = CONNECTIONS,
): Promise<CellFigures & { wrong: string[] }> {
  const before = await countRecords?.()
  const postmaster = databaseUrl === undefined ? null : await findPostmaster(databaseUrl)
  const readService = () => readCpuSeconds(servers.map(({ pid }) => pid))
  const readDatabase = () => (postmaster === null ? 0 : readCpuSeconds([postmaster], { withChildren: true }))
  const [service, database, cores] = [readService(), readDatabase(), readCoreTimes()]
  const share = Math.max(connections, Math.round(amount / servers.length))
  const load = () =>
    Promise.all(
      servers.map(({ url }) => runClosedLoop({ url, request: requests[caps], connections, amount: share })),
    )
  const watched = databaseUrl === undefined ? null : await watchSessions(databaseUrl, load)
  const results = watched?.result ?? (await load())
  const used = { service: readService() - service, database: readDatabase() - database }
  const coresAfter = readCoreTimes()
  const wrong = results.flatMap((result) => result.wrong)
  const right = sum(results, (result) => result.right)
  // A response that broke off may have been recorded.
  const recorded = before && wrong.length === 0 ? before.placed + before.pending + right : null
  if (countRecords) await requireRecords(countRecords, recorded)
  const micros = (seconds: number) => (seconds * 1_000_000) / right
  return {
    wrong,
    perSecond: sum(results, (result) => result.right / result.seconds),
    medianMs: median(results.map(({ medianMs }) => medianMs)),
    cpuMicros: {
      service: micros(used.service),
      database: micros(used.database),
      load: micros(sum(results, ({ cpuSeconds }) => cpuSeconds)),
    },
    coresBusy: (coresAfter.busy - cores.busy) / (coresAfter.all - cores.all),
    shares: watched?.shares ?? null,
  }
}

/** Also lets the background work of one load end before the next begins. `wanted` is null if the number is not known. */
async function requireRecords(count: ScalingService['countRecords'], wanted: number | null): Promise<void> {
  const begin = performance.now()
  let { placed, pending } = await count()
  while (pending > 0 && performance.now() - begin < PLACED_MS) {
    await pause(100)
    ;({ placed, pending } = await count())
  }
  if ((wanted !== null && placed !== wanted) || pending > 0)
    throw new Error(
      `${wanted ?? 'some'} verifications were answered, ${placed} are in the log and ${pending} wait for it`,
    )
}

/** The session that asks is a child of the server's main process. */
async function findPostmaster(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query('SELECT pg_backend_pid() AS pid')
    return readParentPid(rows[0].pid)
  } finally {
    await client.end()
  }
}

function sum<Item>(items: readonly Item[], figure: (item: Item) => number): number {
  return items.reduce((total, item) => total + figure(item), 0)
}
