import { setTimeout as pauseFor } from 'node:timers/promises'

/** Longest wait for the last round: a chain that hangs must not keep the service from ending. */
const GRACE_MS = 2_000

/** Repeats the relayer's rounds: at once while something moves, after a pause when nothing does. */
export type RelayerWorker = {
  start(): void
  /** Ends the pause: something was queued. During a round it is not lost: another one follows without a pause. */
  wake(): void
  /** Resolves when the round that is running has ended, or was waited for long enough; it is safe to leave. */
  stop(): Promise<void>
}

type RelayerWorkerOptions = {
  /** One round; never throws for the chain's sake. */
  round(): Promise<number>
  pauseMs: number
  onError(error: unknown): void
}

export function createRelayerWorker({ round, pauseMs, onError }: RelayerWorkerOptions): RelayerWorker {
  let stopped = false
  let woken = false
  let running: Promise<void> | null = null
  let endPause: () => void = () => undefined

  const pause = (): Promise<void> =>
    new Promise((resume) => {
      const timer = setTimeout(resume, pauseMs)
      endPause = () => {
        clearTimeout(timer)
        resume()
      }
    })

  const run = async (): Promise<void> => {
    while (!stopped) {
      woken = false
      const moved = await round().catch((error: unknown) => {
        onError(error)
        return 0
      })
      if (moved === 0 && !woken && !stopped) await pause()
    }
  }

  return {
    start() {
      running ??= run()
    },
    wake() {
      woken = true
      endPause()
    },
    async stop() {
      stopped = true
      endPause()
      const waited = new AbortController()
      const grace = pauseFor(GRACE_MS, undefined, { signal: waited.signal }).catch(() => undefined)
      await Promise.race([running, grace])
      waited.abort()
    },
  }
}
