import type { RecordedUse, ReportedUse } from '@svc/core/contract/verification.ts'
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
  const unreported = new Map<string, ReportedUse>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let isSending = false
  let failures = 0

  const sendBatch = createSharedRun(async () => {
    const batch: ReportedUse[] = []
    for (const use of unreported.values()) if (batch.push(use) === BATCH_MAX) break
    const results = new Map((await send(batch)).map((result) => [result.useId, result]))
    for (const use of batch) {
      const result = results.get(use.useId)
      if (result === undefined) throw new Error('the service does not confirm all of them')
      // A run that was given up as lost may have been confirmed as well.
      if (unreported.delete(use.useId) && result.status !== 'recorded') onRefused(use, result)
    }
  })

  /** Sends everything that has happened so far. @throws Error if the service does not confirm it. */
  async function flush(): Promise<void> {
    // They are sent in their order, so the last one is the last to be confirmed.
    const last = [...unreported.keys()].at(-1)
    while (last !== undefined && unreported.has(last)) await sendBatch()
  }

  function schedule(): void {
    if (isSending || timer !== undefined || unreported.size === 0) return
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
      while (unreported.size >= BATCH_MAX)
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
      unreported.set(use.useId, use)
      if (unreported.size >= BATCH_MAX && !isSending && failures === 0) void sendNow()
      else schedule()
    },

    /** Whether so much is unreported that no further use may happen. @param at Epoch milliseconds. */
    isBlocked(at: number): boolean {
      if (unreported.size >= UNREPORTED_MAX) return true
      const oldest = unreported.values().next().value
      return oldest !== undefined && at - Date.parse(oldest.usedAt) >= UNREPORTED_MS_MAX
    },

    flush,
  }
}
