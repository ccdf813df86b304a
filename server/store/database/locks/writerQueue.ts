import type { LockName } from './lockName.ts'

type Names = readonly LockName[] | undefined
type Writer = { names: Names; start(): void }

export type WriterQueue = {
  /** Runs `work` once no writer that runs or waits before it shares a name with it; undefined shares all names. */
  run<T>(names: Names, work: () => Promise<T>): Promise<T>
}

/**
 * Queues the writers of this process before they take a connection, so that those that wait leave the pool to others.
 *
 * Writers that share a name keep their order; those that share none overtake them, except one that runs alone.
 *
 * @param runningMax Maximum number of writers at a time.
 */
export function createWriterQueue(runningMax: number): WriterQueue {
  const running = new Set<Writer>()
  const waiting: Writer[] = []

  function startNext(): void {
    const taken = new Set<LockName>()
    for (const { names } of running) {
      if (names === undefined) return
      for (const name of names) taken.add(name)
    }
    for (let at = 0; at < waiting.length && running.size < runningMax; ) {
      const writer = waiting[at]
      if (writer === undefined) return
      if (writer.names === undefined) {
        if (at > 0 || running.size > 0) return
      } else if (writer.names.some((name) => taken.has(name))) {
        for (const name of writer.names) taken.add(name)
        at += 1
        continue
      }
      waiting.splice(at, 1)
      running.add(writer)
      for (const name of writer.names ?? []) taken.add(name)
      writer.start()
      if (writer.names === undefined) return
    }
  }

  return {
    async run(names, work) {
      const { promise: turn, resolve: start } = Promise.withResolvers<void>()
      const writer: Writer = { names, start }
      waiting.push(writer)
      startNext()
      await turn
      try {
        return await work()
      } finally {
        running.delete(writer)
        startNext()
      }
    },
  }
}
