import { type Rounds, type RoundsOptions, repeatRounds } from './repeatRounds.ts'
import { waitWithGrace } from './waitWithGrace.ts'

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
  return { ...rounds, stop: () => waitWithGrace(rounds.stop()) }
}
