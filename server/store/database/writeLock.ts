/** Serialises the writers of one SQLite file within this process. */
export type WriteLock = {
  /** Runs `work` exclusively, after the writers queued before it. */
  run<T>(work: () => Promise<T>): Promise<T>
  /** Whether nobody holds or awaits the lock, so that a synchronous commit can run at once. */
  isFree(): boolean
}

/**
 * Creates a first-come, first-served lock.
 *
 * knex transactions span several turns of the event loop, while the recorder commits synchronously on its own
 * connection. If the two overlapped, SQLite would block the whole process until its busy timeout.
 */
export function createWriteLock(): WriteLock {
  let tail: Promise<unknown> = Promise.resolve()
  let holders = 0
  return {
    isFree: () => holders === 0,
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
