/** Serialises the writers of one SQLite file within this process. */
export type WriteLock = {
  /** Runs `work` exclusively, after the writers queued before it. */
  run<T>(work: () => Promise<T>): Promise<T>
  /** Whether nobody holds or awaits the lock, so that a synchronous commit can run at once. */
  isFree(): boolean
  /** Reports whether another program refused an attempt to write, because it holds the lock of the file itself. */
  report(isRefused: boolean): void
  /** Whether the last attempt was refused. Only another attempt shows whether the next one will be. */
  isRefused(): boolean
  /** For how many milliseconds all attempts have been refused, as far as there were any. */
  refusedMs(): number
}

/** Writers that wait try again much sooner; after a longer pause, a refusal is a new one. */
const PAUSE_MAX_MS = 100

/**
 * Creates a first-come, first-served lock.
 *
 * knex transactions span several turns of the event loop, while the recorder commits synchronously on its own
 * connection. If the two overlapped, SQLite would block the whole process until its busy timeout.
 */
export function createWriteLock(): WriteLock {
  let tail: Promise<unknown> = Promise.resolve()
  let holders = 0
  let isRefused = false
  let refusedAt = { first: 0, last: 0 }
  return {
    isFree: () => holders === 0,
    report(refused) {
      const now = performance.now()
      const isSame = isRefused && now - refusedAt.last <= PAUSE_MAX_MS
      if (refused) refusedAt = { first: isSame ? refusedAt.first : now, last: now }
      isRefused = refused
    },
    isRefused: () => isRefused,
    refusedMs: () => (isRefused ? refusedAt.last - refusedAt.first : 0),
    run(work) {
      holders += 1
      const result = tail.then(work)
      tail = result.then(
        () => undefined,
        () => undefined,
      )
      return result.finally(() => {
        holders -= 1
      })
    },
  }
}
