import { closeSync, openSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { trySync } from './trySync.ts'

/** Syncs the write-ahead log of an SQLite file. */
export type WalSyncs = {
  /**
   * Resolves once everything that was committed before the call survives a power failure.
   *
   * @throws Error with its `code` if the sync fails; the content of the disk is then unknown.
   */
  sync(): Promise<void>
  /** Call it when nothing waits for a sync. */
  close(): Promise<void>
}

type Asked = { promise: Promise<void>; resolve(): void; reject(error: Error): void }

/**
 * Opens the syncs for connections that commit without one (`synchronous=NORMAL`).
 *
 * A sync takes as long as deciding dozens of requests, and SQLite would block the process meanwhile. It therefore runs on a
 * thread of its own; in the thread pool of Node, a DNS lookup could delay it for seconds. There is one at a time, and calls
 * during one share the next. The first starts the thread. If the thread dies, its sync is repeated here, with a descriptor
 * that was opened before the thread, so that an error that was not reported occurs again.
 *
 * @param file The database. Its log exists from the first commit on, as long as a connection is open.
 * @param spawn Starts the thread on `walSyncThread.ts`, for the log at a path.
 */
export function openWalSyncs(file: string, spawn = spawnThread): WalSyncs {
  const log = `${file}-wal`
  let descriptor: number | null = null
  let thread: Worker | null = null
  let running: Asked | null = null
  let next: Asked | null = null

  function startNext(): void {
    if (running !== null || next === null) return
    running = next
    next = null
    try {
      descriptor ??= openSync(log, 'r+')
      thread ??= startThread(descriptor)
      thread.postMessage(null)
    } catch (error) {
      settle((error as NodeJS.ErrnoException).code ?? String(error))
    }
  }

  function settle(code: string | null): void {
    const settled = running
    running = null
    if (code === null) settled?.resolve()
    else settled?.reject(Object.assign(new Error(`the write-ahead log was not synced: ${code}`), { code }))
    startNext()
  }

  function startThread(ours: number): Worker {
    const started = spawn(log)
    started.unref()
    started.on('message', settle)
    // The exit follows.
    started.on('error', () => undefined)
    started.on('exit', () => {
      thread = null
      if (running !== null) settle(trySync(ours))
    })
    return started
  }

  return {
    sync() {
      next ??= Promise.withResolvers<void>()
      const { promise } = next
      startNext()
      return promise
    },
    async close() {
      await thread?.terminate()
      if (descriptor !== null) closeSync(descriptor)
    },
  }
}

function spawnThread(log: string): Worker {
  return new Worker(new URL('./walSyncThread.ts', import.meta.url), { workerData: log })
}
