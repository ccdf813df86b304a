import type { RecordedUse, ReportedUse } from '@svc/core/contract/uses.ts'
import { createSharedRun } from '../http/createSharedRun.ts'
import type { SendUses } from './createUseSender.ts'

type UseReporterConfig = {
  send: SendUses
  /** Called for each use that the service did not record as agreed. */
  onRefused(use: ReportedUse, result: RecordedUse): void
  warn(message: string): void
}

/** Reports to the service which requests were answered with earlier grants. */
export type UseReporter = ReturnType<typeof createUseReporter>

const BATCH_MAX = 100
/** With so many unreported uses, or one so old, no request is answered with an earlier grant. */
const UNREPORTED_MAX = 5_000
const UNREPORTED_MS_MAX = 30_000
const PAUSE_MS = 1_000
/** After failures, the pause doubles up to this many times. */
const DOUBLINGS_MAX = 4

/**
 * Creates a reporter that sends uses in batches, within a second of the first one of a batch or once the batch is full, and
 * again until the service has confirmed them. A use has an identifier, so that sending it again changes nothing.
 */
export function createUseReporter({ send, onRefused, warn }: UseReporterConfig) {
  /** In the order in which they happened. */
  const unreported: ReportedUse[] = []
  /** When the first of them happened, in epoch milliseconds. */
  let oldestAt = Number.POSITIVE_INFINITY
  let timer: ReturnType<typeof setTimeout> | undefined
  let isSending = false
  let failures = 0

  const sendBatch = createSharedRun(async () => {
    const batch = unreported.slice(0, BATCH_MAX)
    const results = new Map((await send(batch)).map((result) => [result.useId, result]))
    const confirmed = batch.findIndex(({ useId }) => !results.has(useId))
    forget(confirmed === -1 ? batch : batch.slice(0, confirmed), results)
    if (confirmed !== -1) throw new Error('the service does not confirm all of them')
  })

  /** Forgets confirmed uses, which are the first ones, unless a run that was given up as lost has been confirmed as well. */
  function forget(batch: readonly ReportedUse[], results: ReadonlyMap<string, RecordedUse>): void {
    const [oldest] = unreported
    const from = oldest === undefined ? -1 : batch.indexOf(oldest)
    const confirmed = from === -1 ? [] : unreported.splice(0, batch.length - from)
    oldestAt = readTime(unreported[0])
    for (const use of confirmed) {
      const result = results.get(use.useId)
      if (result !== undefined && result.status !== 'recorded') onRefused(use, result)
    }
  }

  /** Sends everything that has happened so far. @throws Error if the service does not confirm it. */
  async function flush(): Promise<void> {
    // They are sent in their order, so the last one is the last to be confirmed.
    const last = unreported.at(-1)
    while (last !== undefined && unreported.includes(last)) await sendBatch()
  }

  function schedule(): void {
    if (isSending || timer !== undefined || unreported.length === 0) return
    const pauseMs = PAUSE_MS * 2 ** Math.min(failures, DOUBLINGS_MAX) * (1 - Math.random() / 4)
    timer = setTimeout(() => void sendNow(), pauseMs)
    // A process may end while it waits; one that wants everything reported flushes before.
    if (typeof timer === 'object') timer.unref?.()
  }

  async function sendNow(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    isSending = true
    try {
      do await flush()
      while (unreported.length >= BATCH_MAX)
      failures = 0
    } catch (error) {
      if (failures === 0) warn(`uses of grants could not be reported, and will be again: ${error}`)
      failures += 1
    }
    isSending = false
    schedule()
  }

  return {
    add(use: ReportedUse): void {
      if (unreported.push(use) === 1) oldestAt = readTime(use)
      if (unreported.length >= BATCH_MAX && !isSending && failures === 0) void sendNow()
      else schedule()
    },

    /** Whether so much is unreported that no further use may happen. @param at Epoch milliseconds. */
    isBlocked(at: number): boolean {
      return unreported.length >= UNREPORTED_MAX || at - oldestAt >= UNREPORTED_MS_MAX
    },

    flush,
  }
}

/** Epoch milliseconds; never, if there is no use. */
function readTime(use: ReportedUse | undefined): number {
  return use === undefined ? Number.POSITIVE_INFINITY : Date.parse(use.usedAt)
}
