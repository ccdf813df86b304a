/**
 * Pause near the end of the log, unless somebody needs the newest records.
 *
 * Under load, the records of one pause become one transaction, which costs a third of ten small ones. Without the pause, the
 * loop would write a few records at a time as long as requests arrive, and take the processor and the disk from them.
 */
const REST_MS = 250
/** Pause after a chunk of many records: each page of an index is then written once for four times as many of them. */
const BUSY_REST_MS = 1_000
const BUSY_FROM = 500
/** Number of records behind which it does not rest: more than arrive while a chunk is being projected. */
const RESTING_MAX = 4_000

export type ProjectionLoopDeps = {
  logSize(): number | Promise<number>
  /** Projects one chunk and returns the position of the feed. */
  projectChunk(): number | Promise<number>
  /** Checkpoints the write-ahead logs. */
  checkpoint(): void
  /** Reports the position of the feed when it has changed, and the size that the log has then. */
  advanced(nextSeq: number, logSize: number): void
  /** Reports that everything these requests wait for is in the feed. */
  caughtUp(ids: number[], nextSeq: number): void
}

export type ProjectionLoop = {
  /** Requests a report when everything now in the log is in the feed. */
  catchUp(id: number): void
  /** Resolves when no chunk is being projected. */
  stop(): Promise<void>
}

/**
 * Follows the log chunk by chunk; between chunks it handles requests and checkpoints the write-ahead logs.
 *
 * A failing chunk throws out of the event loop: the thread exits, and its owner starts another.
 */
export function createProjectionLoop(deps: ProjectionLoopDeps): ProjectionLoop {
  let waiting: { id: number; size: number }[] = []
  let stopped = false
  let rest: NodeJS.Timeout | undefined
  let running: Promise<void> = Promise.resolve()
  let reported = -1

  function begin(): void {
    rest = undefined
    if (!stopped) running = turn()
  }

  async function turn(): Promise<void> {
    // Before the chunk, because that may fail.
    deps.checkpoint()
    const nextSeq = await deps.projectChunk()
    const isBusy = reported >= 0 && nextSeq - reported >= BUSY_FROM
    const logSize = await deps.logSize()
    if (nextSeq !== reported) deps.advanced(nextSeq, logSize)
    reported = nextSeq
    const isBehind = logSize - nextSeq > RESTING_MAX
    answer(nextSeq)
    if (isBehind || waiting.length > 0) setImmediate(begin)
    else rest = setTimeout(begin, isBusy ? BUSY_REST_MS : REST_MS)
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
    // Only now, because the list may have been replaced while the size of the log was read.
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
