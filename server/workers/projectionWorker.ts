import type { Worker } from 'node:worker_threads'
import { apiError } from '../errors.ts'
import type { ProjectionReport, ProjectionRequest } from '../services/projection/projectionMessages.ts'

/**
 * Maximum wait of `catchUp`, after which the caller should retry. The thread has low priority, so that with all cores busy
 * it needs seconds for what usually takes milliseconds.
 */
const CATCH_UP_TIMEOUT_MS = 15_000
const RESTART_FIRST_MS = 100
const RESTART_MAX_MS = 30_000
/** The public message: unlike the one of the catalogue, it says nothing of decisions, which are made all the same. */
const NOT_CAUGHT_UP = 'The newest records cannot be read yet; retry after `Retry-After` seconds.'
const STOPPING = 'the service is stopping'

export type ProjectionWorkerDeps = {
  /** Starts the thread on `compose/projectionThread.ts`. */
  spawn: () => Worker
  catchUpTimeoutMs?: number
  log: { warn(fields: object, message: string): void; error(fields: object, message: string): void }
}

/** The main thread's side of the projection. */
export type Projection = {
  /**
   * Resolves with the feed's size once everything committed before the call is in the feed.
   *
   * @throws ApiError SERVICE_UNAVAILABLE after 15 seconds (while the feed is being rebuilt), or when the service is
   * stopping.
   */
  catchUp(): Promise<number>
  /** Calls a listener with the position of the feed whenever it changes. */
  onAdvanced(listener: (nextSeq: number) => void): void
  /** Null while healthy, otherwise a message for the health check. */
  failure(): string | null
  /** Starts stopping: rejects waiting and new callers, so that nothing else waits for the feed while stopping. */
  refuseWaiting(): void
  stop(): Promise<void>
}

type Waiting = { resolve(nextSeq: number): void; reject(reason: unknown): void; timer: NodeJS.Timeout }

/**
 * Runs the projection's thread and restarts it after a failure, first after 100 ms and then twice as long each time, up to
 * 30 s, so that a full disk that gets space again needs no intervention. The log itself is unaffected.
 */
export function startProjectionWorker({
  spawn,
  log,
  catchUpTimeoutMs = CATCH_UP_TIMEOUT_MS,
}: ProjectionWorkerDeps): Projection {
  const waiting = new Map<number, Waiting>()
  let lastId = 0
  let failure: string | null = null
  let failures = 0
  let recordsBehind = 0
  let refusing = false
  let stopping = false
  let restart: NodeJS.Timeout | undefined
  const listeners: ((nextSeq: number) => void)[] = []
  let worker = start()

  function start(): Worker {
    const thread = spawn()
    thread.on('message', (report: ProjectionReport) => hear(report))
    thread.on('error', (error: Error) => {
      failure = `the projection failed: ${error.message}`
      log.error({ err: error }, failure)
    })
    thread.on('exit', () => {
      if (stopping) return
      for (const id of [...waiting.keys()]) refuse(id, failure ?? 'the projection ended')
      restart = setTimeout(
        () => {
          worker = start()
        },
        Math.min(RESTART_MAX_MS, RESTART_FIRST_MS * 2 ** failures),
      )
      failures += 1
    })
    // Nobody waits for this response: it shows that the feed can be written again.
    thread.postMessage({ kind: 'catchUp', id: 0 } satisfies ProjectionRequest)
    return thread
  }

  function hear(report: ProjectionReport): void {
    if (report.kind === 'running') {
      if (report.rebuilt) log.warn({}, 'the feed was derived from another log and is being rebuilt')
      return
    }
    if (report.kind === 'advanced') {
      recordsBehind = report.logSize - report.nextSeq
      for (const listener of listeners) listener(report.nextSeq)
      return
    }
    failure = null
    failures = 0
    for (const id of report.ids) {
      const { resolve, timer } = waiting.get(id) ?? {}
      clearTimeout(timer)
      waiting.delete(id)
      resolve?.(report.nextSeq)
    }
  }

  function refuse(id: number, detail: string): void {
    const { reject, timer } = waiting.get(id) ?? {}
    clearTimeout(timer)
    waiting.delete(id)
    reject?.(
      apiError('SERVICE_UNAVAILABLE', { message: NOT_CAUGHT_UP, detail, headers: { 'Retry-After': '5' } }),
    )
  }

  function describeBehind(): string {
    return recordsBehind === 0
      ? 'the feed is behind the log'
      : `the feed is behind the log by ${recordsBehind} records`
  }

  function refuseWaiting(): void {
    refusing = true
    for (const id of [...waiting.keys()]) refuse(id, STOPPING)
  }

  return {
    catchUp() {
      lastId += 1
      const id = lastId
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => refuse(id, describeBehind()), catchUpTimeoutMs)
        waiting.set(id, { resolve, reject, timer })
        if (refusing) refuse(id, STOPPING)
        else if (isEnded(worker)) refuse(id, failure ?? 'the projection ended')
        else worker.postMessage({ kind: 'catchUp', id } satisfies ProjectionRequest)
      })
    },
    onAdvanced: (listener) => void listeners.push(listener),
    failure: () => failure,
    refuseWaiting,
    async stop() {
      stopping = true
      clearTimeout(restart)
      refuseWaiting()
      if (isEnded(worker)) return
      const ended = new Promise((resolve) => worker.once('exit', resolve))
      worker.postMessage({ kind: 'stop' } satisfies ProjectionRequest)
      await ended
    },
  }
}

function isEnded(worker: Worker): boolean {
  return worker.threadId === -1
}
