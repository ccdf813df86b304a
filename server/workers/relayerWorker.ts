import { type Rounds, type RoundsOptions, repeatRounds } from './repeatRounds.ts'
import { waitWithGrace } from './waitWithGrace.ts'

type RelayerWorkerOptions = Pick<RoundsOptions, 'pauseMs'> & {
  /** Runs one round; does not throw for failures of the chain. */
  round(): Promise<number>
  onError(error: unknown): void
}

/** Repeats the relayer's rounds; `stop` waits for the current one, for a limited time, because it is safe to interrupt. */
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
