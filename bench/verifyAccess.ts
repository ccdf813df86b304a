import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { balancedOrder } from './load/balancedOrder.ts'
import type { ClosedLoopJob } from './load/closedLoopJob.ts'
import type { LoadRequest } from './load/loadRequest.ts'
import { measureFsync } from './load/measureFsync.ts'
import { median } from './load/median.ts'
import type { OpenLoopJob, OpenLoopResult } from './load/openLoop.ts'
import { runClosedLoop } from './load/runClosedLoop.ts'
import { runInProcess } from './load/runInProcess.ts'
import { signRequests } from './load/signRequests.ts'
import type { RunningServer } from './load/startServer.ts'
import { waitUntilCalm } from './load/waitUntilCalm.ts'
import { type BenchService, startBenchService } from './startBenchService.ts'
import { type PeerName, startPeer } from './startPeer.ts'
import type { ContenderName, VerifyAccessFigures } from './verifyAccessFigures.ts'

const CONNECTIONS = 64
const OPEN_PER_SECOND = 1_000
const OPEN_TIMEOUT_MS = 180_000
/** Requests of the first warm-up, which determines the number of requests of the second. */
const FIRST_REQUESTS = 1_000
const APART = { apartFromServers: true }

const FULL = { closedRounds: 6, closedSeconds: 4, openRounds: 4, openSeconds: 10, patienceMs: 15_000 }
const QUICK = { closedRounds: 3, closedSeconds: 1, openRounds: 2, openSeconds: 2, patienceMs: 3_000 }

const PEERS: readonly PeerName[] = ['bareExpress', 'bareHttp', 'sqliteCommit', 'knexCommit']

/** Our branches, the limit, and the peer that commits each request, because a stalled disk delays it as well. */
const IN_OPEN_LOOP: readonly ContenderName[] = ['bareExpress', 'sqliteCommit', 'verified', 'anonymous']

type Contender = { name: ContenderName; server: RunningServer; request: LoadRequest }

/** The state of one run, over all rounds. */
type Run = {
  pace: typeof FULL
  logProgress(what: string): void
  right: Partial<Record<ContenderName, number>>
  busyRounds: number
  rounds: number
  wrong: string[]
}

/**
 * Loads our verify-access and its peers in turn. Each server and each load generator has its own process, and servers and
 * load generators have separate cores, except where the cores are what is measured.
 *
 * All contenders take a turn in every round, in a balanced order, so that a slow phase of the machine affects all of them
 * and none always follows the same other. If our service does not start, the peers are still measured and the failure is
 * reported.
 *
 * Source: docs/performance.md.
 */
export async function measureVerifyAccess(
  isQuick: boolean,
  logProgress: (what: string) => void,
): Promise<VerifyAccessFigures> {
  // In the project's folder, because the temporary folder may be in memory, where fsync costs nothing.
  mkdirSync('bench/results', { recursive: true })
  const folder = mkdtempSync('bench/results/run-')
  const run: Run = {
    pace: isQuick ? QUICK : FULL,
    logProgress,
    right: {},
    busyRounds: 0,
    rounds: 0,
    wrong: [],
  }
  const running: RunningServer[] = []
  try {
    const fsyncs = measureFsync(folder)
    const service = await startServiceOrReport(run, folder)
    if (service) running.push(service.server)
    const recordsBefore = service?.countRecords() ?? 0
    const contenders = [...ourContenders(service), ...(await startPeers(folder, running, PEERS))]
    const answerBytes = await measureAnswerSizes(run, contenders)
    const closed = await runClosedRounds(run, contenders)
    fsyncs.push(...measureFsync(folder))
    const open = await runOpenRounds(run, contenders)
    fsyncs.push(...measureFsync(folder))
    const recorded = service && compareRecords(run, service.countRecords() - recordsBefore)
    for (const server of running.splice(0)) await server.stop()
    const onAllCores = await measureOnAllCores(run, folder, running)
    const { rounds, busyRounds, wrong } = run
    return {
      connections: CONNECTIONS,
      openPerSecond: OPEN_PER_SECOND,
      closed,
      onAllCores,
      open,
      answerBytes,
      fsyncMs: median(fsyncs),
      recorded,
      rounds,
      busyRounds,
      wrong,
    }
  } finally {
    for (const server of running) await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Loads requests that only a second core can speed up, because their signatures are checked on a thread of their own, with
 * servers that may use all cores. The load generator stays on its own.
 */
async function measureOnAllCores(
  run: Run,
  folder: string,
  running: RunningServer[],
): Promise<VerifyAccessFigures['onAllCores']> {
  const service = await startServiceOrReport(run, mkdtempSync(join(folder, 'all-')), false)
  if (service) running.push(service.server)
  const ours = ourContenders(service).filter(({ name }) => name !== 'anonymous')
  return runClosedRounds(run, [...ours, ...(await startPeers(folder, running, ['bareExpress'], false))])
}

async function startServiceOrReport(
  run: Run,
  folder: string,
  apartFromLoad = true,
): Promise<BenchService | undefined> {
  run.logProgress('starting our service')
  try {
    return await startBenchService(folder, { apartFromLoad })
  } catch (error) {
    run.wrong.push(`our service: ${error instanceof Error ? error.message : error}`)
    return undefined
  }
}

function ourContenders(service: BenchService | undefined): Contender[] {
  if (!service) return []
  const { server, verified, signed, receipt, anonymous } = service
  return [
    { name: 'verified', server, request: verified },
    { name: 'signed', server, request: signed },
    { name: 'receipt', server, request: receipt },
    { name: 'anonymous', server, request: anonymous },
  ]
}

async function startPeers(
  folder: string,
  running: RunningServer[],
  peers: readonly PeerName[],
  apartFromLoad = true,
): Promise<Contender[]> {
  const contenders: Contender[] = []
  for (const name of peers) {
    const { server, request } = await startPeer(name, folder, apartFromLoad)
    running.push(server)
    contenders.push({ name, server, request })
  }
  return contenders
}

async function measureAnswerSizes(
  run: Run,
  contenders: readonly Contender[],
): Promise<VerifyAccessFigures['answerBytes']> {
  const sizes: VerifyAccessFigures['answerBytes'] = {}
  for (const { name, server, request } of contenders) {
    const { path, headers, expected, signer } = request
    const [{ body = request.body } = {}] = signer ? signRequests(request, signer, 1) : []
    const response = await fetch(`${server.url}${path}`, { method: 'POST', headers, body })
    const answer = await response.text()
    if (response.status !== 200 || !answer.includes(expected)) {
      throw new Error(`${name} returned ${response.status} ${answer} for ${body}`)
    }
    count(run, name, 1)
    sizes[name] = Buffer.byteLength(answer)
  }
  return sizes
}

async function runClosedRounds(
  run: Run,
  contenders: readonly Contender[],
): Promise<VerifyAccessFigures['closed']> {
  const { closedRounds, closedSeconds, patienceMs } = run.pace
  const expectedRates = new Map<ContenderName, number>()
  for (const contender of contenders) {
    run.logProgress(`warming up ${contender.name}`)
    const first = await loadClosed(run, contender, FIRST_REQUESTS)
    expectedRates.set(contender.name, await loadClosed(run, contender, Math.round(first * closedSeconds)))
  }
  const closed: Partial<Record<ContenderName, number[]>> = {}
  for (let round = 1; round <= closedRounds; round++) {
    for (const contender of balancedOrder(contenders, round)) {
      const amount = Math.round((expectedRates.get(contender.name) ?? FIRST_REQUESTS) * closedSeconds)
      await beginRound(run, patienceMs)
      const rate = await loadClosed(run, contender, amount)
      expectedRates.set(contender.name, rate)
      closed[contender.name] = [...(closed[contender.name] ?? []), rate]
      run.logProgress(
        `closed loop, round ${round} of ${closedRounds}: ${contender.name} ${Math.round(rate)}/s`,
      )
    }
  }
  return closed
}

async function loadClosed(run: Run, { name, server, request }: Contender, amount: number): Promise<number> {
  const job: ClosedLoopJob = {
    url: server.url,
    request,
    connections: CONNECTIONS,
    amount: Math.max(amount, CONNECTIONS),
  }
  const { right, wrong, seconds } = await runClosedLoop(job, APART)
  run.wrong.push(...wrong.map((what) => `${name}, closed loop: ${what}`))
  count(run, name, right)
  return right / seconds
}

async function runOpenRounds(
  run: Run,
  contenders: readonly Contender[],
): Promise<VerifyAccessFigures['open']> {
  const { openRounds, openSeconds, patienceMs } = run.pace
  const open: Partial<Record<ContenderName, OpenLoopResult[]>> = {}
  const compared = contenders.filter(({ name }) => IN_OPEN_LOOP.includes(name))
  const script = new URL('./load/openLoop.ts', import.meta.url)
  for (let round = 1; round <= openRounds; round++) {
    for (const { name, server, request } of balancedOrder(compared, round)) {
      const job: OpenLoopJob = {
        url: server.url,
        request,
        connections: CONNECTIONS,
        perSecond: OPEN_PER_SECOND,
        seconds: openSeconds,
      }
      await beginRound(run, patienceMs)
      const result = await runInProcess<OpenLoopResult>(script, job, OPEN_TIMEOUT_MS, APART)
      run.wrong.push(...result.wrong.map((what) => `${name}, open loop: ${what}`))
      count(run, name, result.right)
      open[name] = [...(open[name] ?? []), result]
      run.logProgress(`open loop, round ${round} of ${openRounds}: ${name} p50 ${result.p50.toFixed(2)} ms`)
    }
  }
  return open
}

async function beginRound(run: Run, patienceMs: number): Promise<void> {
  run.rounds += 1
  if (!(await waitUntilCalm(patienceMs))) run.busyRounds += 1
}

function count(run: Run, name: ContenderName, answers: number): void {
  run.right[name] = (run.right[name] ?? 0) + answers
}

/** Checks that every response of our service has exactly one record on disk. */
function compareRecords(run: Run, records: number): { answers: number; records: number } {
  const own = ['verified', 'signed', 'receipt', 'anonymous'] as const
  const answers = own.reduce((sum, name) => sum + (run.right[name] ?? 0), 0)
  if (records !== answers)
    run.wrong.push(`our service returned ${answers} responses and stored ${records} records`)
  return { answers, records }
}
