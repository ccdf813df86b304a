/**
 * How long the projection rests when it has reached the end of the log, unless somebody asks for what is newest.
 *
 * Under load the records of one rest are one transaction, which costs a third of what ten small ones do.
 */
const REST_MS = 250

export type ProjectionLoopDeps = {
  logSize(): number | Promise<number>
  /** Projects one chunk and answers how far the feed is. */
  projectChunk(): number | Promise<number>
  /** Looks after the write-ahead logs. */
  checkpoint(): void
  /** Tells how far the feed is, when that has changed. */
  advanced(nextSeq: number): void
  /** Tells that everything these requests asked for is in the feed. */
  caughtUp(ids: number[], nextSeq: number): void
}

export type ProjectionLoop = {
  /** Asks to be told when all that is in the log now is in the feed. */
  catchUp(id: number): void
  /** Resolves when no chunk is being projected any more. */
  stop(): Promise<void>
}

/**
 * Follows the log chunk by chunk, and hears requests and looks after the write-ahead logs between two chunks.
 *
 * A chunk that fails throws out of the event loop: the thread ends, and its owner starts another.
 */
export function createProjectionLoop(deps: ProjectionLoopDeps): ProjectionLoop {
  let waiting: { id: number; size: number }[] = []
  let stopped = false
  let rest: NodeJS.Timeout | undefined
  let running: Promise<void> = Promise.resolve()
  let told = -1

  function begin(): void {
    rest = undefined
    if (!stopped) running = turn()
  }

  async function turn(): Promise<void> {
    // Before the chunk, which may fail.
    deps.checkpoint()
    const nextSeq = await deps.projectChunk()
    if (nextSeq !== told) deps.advanced(nextSeq)
    told = nextSeq
    const isBehind = nextSeq < (await deps.logSize())
    answer(nextSeq)
    if (isBehind || waiting.length > 0) setImmediate(begin)
    else rest = setTimeout(begin, REST_MS)
  }

  function answer(nextSeq: number): void {
    const answered = waiting.filter(({ size }) => size <= nextSeq)
    if (answered.length === 0) return
    waiting = waiting.filter(({ size }) => size > nextSeq)
    deps.caughtUp(
      answered.map(({ id }) => id),
      nextSeq,
    )
  }

  async function ask(id: number): Promise<void> {
    const size = await deps.logSize()
    // Only now: while the log was asked for its size, an answer may have put another list in the place of this one.
    waiting.push({ id, size })
    if (rest === undefined) return
    clearTimeout(rest)
    rest = undefined
    setImmediate(begin)
  }

  setImmediate(begin)
  return {
    catchUp: (id) => void ask(id),
    async stop() {
      stopped = true
      clearTimeout(rest)
      await running
    },
  }
}
