import cluster, { type Worker } from 'node:cluster'
import { type AddressInfo, createServer } from 'node:net'
import { setTimeout as pauseFor } from 'node:timers/promises'
import type { Service } from '../../compose.ts'
import type { Config } from '../../config.ts'
import type { Logger } from '../../external/telemetry/logger.ts'
import type { ServiceSummary } from '../../terminal/serviceSummary.ts'
import { explainListening } from '../listen.ts'
import { gatherWorkerMetrics } from './gatherWorkerMetrics.ts'
import { watchWorkers } from './watchWorkers.ts'
import type { FromWorker, ToWorker } from './workerMessages.ts'

/** Pause before an ended process is replaced; doubled as long as processes end soon after their start. */
const PAUSE_MS = 100
const LONGEST_PAUSE_MS = 10_000
/** A process that has served this long did not end because of its start. */
const STEADY_MS = 30_000

type Serving = { worker: Worker; summary: ServiceSummary; exited: Promise<string> }

const tell = (worker: Worker, message: ToWorker) => {
  if (worker.isConnected()) worker.send(message)
}

const runningWorkers = (): Worker[] =>
  Object.values(cluster.workers ?? {}).flatMap((one) => (one === undefined || one.isDead() ? [] : [one]))

/**
 * Starts the configured number of server processes on one port, and replaces each that ends or no longer responds.
 *
 * This process opens neither database nor chain. The first server starts alone, because it creates the tables, keys and
 * contracts that the others use. All end with this process, even if it is killed.
 *
 * @throws Error with the message of the server that could not start, after all others have ended.
 */
export async function runWorkers({ http, workers }: Config, log: Logger): Promise<Service> {
  const port = await freePortOf(http)
  const metrics = gatherWorkerMetrics()
  const serving = new Map<number, Serving>()
  const stopping = new AbortController()
  const watch = watchWorkers({
    list: runningWorkers,
    ask: (worker) => tell(worker, { kind: 'respond' }),
    giveUp({ process: child }, seconds) {
      log.error({ pid: child.pid }, `a server process has not responded for ${seconds} seconds and is killed`)
      child.kill('SIGKILL')
    },
  })
  // One that does not respond does not notice either that this process ends.
  process.once('exit', () => {
    for (const worker of runningWorkers()) if (watch.isSilent(worker)) worker.process.kill('SIGKILL')
  })

  function start(): Promise<Serving> {
    const worker = cluster.fork({ PORT: String(port), PORT_FILE: '' })
    const exited = new Promise<string>((resolve) => {
      worker.once('exit', (code, signal) => {
        serving.delete(worker.id)
        metrics.left(worker.id).catch((err: unknown) => log.error({ err }, 'metrics of a process were lost'))
        resolve(signal ?? `code ${code}`)
      })
    })
    return new Promise((resolve, reject) => {
      exited.then((how) => reject(new Error(`A server process ended by ${how} before it was ready`)))
      worker.on('error', (err) => log.error({ err }, 'a server process could not be told something'))
      worker.on('message', (message: FromWorker) => {
        watch.heard(worker)
        switch (message.kind) {
          case 'ready': {
            const started = { worker, summary: message.summary, exited }
            serving.set(worker.id, started)
            resolve(started)
            return
          }
          case 'failed':
            reject(new Error(message.sentence))
            return
          case 'metrics':
            metrics.told(worker.id, message.id, message.values)
            return
          case 'responding':
            return
          case 'metricsWanted':
            void answerMetrics(worker, message.id)
        }
      })
    })
  }

  async function answerMetrics(worker: Worker, id: number): Promise<void> {
    const members = new Map(
      [...serving].map(([key, { worker: member }]) => [
        key,
        (round: number) => tell(member, { kind: 'tellMetrics', id: round }),
      ]),
    )
    tell(worker, { kind: 'metricsText', id, text: await metrics.gather(members) })
  }

  /** Keeps one process running until the stop. */
  async function keep(first: Serving): Promise<void> {
    let pause = PAUSE_MS
    let current: Serving | null = first
    while (!stopping.signal.aborted) {
      const since = performance.now()
      if (current) {
        const how = await current.exited
        if (stopping.signal.aborted) return
        log.error({ pid: current.worker.process.pid, how }, 'a server process ended and is replaced')
        if (performance.now() - since >= STEADY_MS) pause = PAUSE_MS
      }
      await pauseFor(pause, undefined, { signal: stopping.signal }).catch(() => undefined)
      pause = Math.min(pause * 2, LONGEST_PAUSE_MS)
      if (stopping.signal.aborted) return
      current = await start().catch((err: unknown) => {
        log.error({ err }, 'a server process could not start and is tried again')
        return null
      })
    }
  }

  async function stop(): Promise<void> {
    stopping.abort()
    await Promise.all(
      runningWorkers().map((worker) => {
        const exited = new Promise((resolve) => worker.once('exit', resolve))
        if (serving.has(worker.id)) tell(worker, { kind: 'stop' })
        else worker.process.kill('SIGTERM')
        return exited
      }),
    )
    watch.stop()
  }

  try {
    const first = await start()
    const others = await Promise.all(Array.from({ length: workers - 1 }, start))
    for (const member of [first, ...others]) void keep(member)
    return { summary: first.summary, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/**
 * Checks that nobody listens on the port, which servers that share a port would not notice; picks a port for 0.
 *
 * @throws Error with a message for the operator if the port is taken.
 */
function freePortOf(http: Config['http']): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', (error: NodeJS.ErrnoException) => {
      reject(explainListening(http, error))
    })
    probe.listen({ port: http.port, host: http.host, exclusive: true }, () => {
      const found = (probe.address() as AddressInfo).port
      probe.close(() => resolve(found))
    })
  })
}
