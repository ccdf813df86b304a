import { setTimeout as pauseFor } from 'node:timers/promises'
import { type Rounds, type RoundsOptions, repeatRounds } from './repeatRounds.ts'

/** Longest wait for the last round: a chain that hangs must not keep the service from ending. */
const GRACE_MS = 2_000

type RelayerWorkerOptions = Pick<RoundsOptions, 'pauseMs'> & {
  /** One round; never throws for the chain's sake. */
  round(): Promise<number>
  onError(error: unknown): void
}

/** Repeats the relayer's rounds; `stop` waits for the one that is running, or long enough: it is safe to leave. */
export function createRelayerWorker({ round, pauseMs, onError }: RelayerWorkerOptions): Rounds {
  const rounds = repeatRounds({
    pauseMs,
    round: () =>
      round().catch((error: unknown) => {
        onError(error)
        return 0
      }),
  })
  return {
    ...rounds,
    async stop() {
      const waited = new AbortController()
      const grace = pauseFor(GRACE_MS, undefined, { signal: waited.signal }).catch(() => undefined)
      await Promise.race([rounds.stop(), grace])
      waited.abort()
    },
  }
}
