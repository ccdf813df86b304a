/** Serialises the writers of one SQLite file inside this process. */
export type WriteLock = {
  /** Runs `work` alone; waits for the writers before it. */
  run<T>(work: () => Promise<T>): Promise<T>
  /** True when nobody holds or waits for the lock, so that a synchronous commit may go at once. */
  isFree(): boolean
}

/**
 * A first-come lock.
 *
 * knex transactions span event-loop turns while the recorder commits synchronously on a connection of its own: if
 * the two met, SQLite would block the whole process until its busy timeout.
 */
export function createWriteLock(): WriteLock {
  let tail: Promise<unknown> = Promise.resolve()
  let holders = 0
  return {
    isFree: () => holders === 0,
    run(work) {
      holders += 1
      const turn = tail.then(work)
      tail = turn.then(
        () => undefined,
        () => undefined,
      )
      return turn.finally(() => {
        holders -= 1
      })
    },
  }
}
