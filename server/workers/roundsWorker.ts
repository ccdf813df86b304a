import { ApiError } from '../errors.ts'
import { type Rounds, type RoundsOptions, repeatRounds } from './repeatRounds.ts'

export type RoundsWorkerOptions = Omit<RoundsOptions, 'round'> & {
  /** The failure in words, for the log and the health check: "mails cannot be sent". */
  failing: string
  /** Runs one round; returns the amount of work done. */
  round(): Promise<number>
  log: { error(fields: object, message: string): void }
}

export type RoundsWorker = Rounds & {
  /** Null while healthy, otherwise a message for the operator. */
  failure(): string | null
}

/**
 * Repeats a round with `repeatRounds`; a failed round counts as one without work and is reported once until it recovers.
 */
export function createRoundsWorker({ failing, round, log, ...pauses }: RoundsWorkerOptions): RoundsWorker {
  let stopped = false
  let failure: string | null = null

  const look = async (): Promise<number> => {
    try {
      const moved = await round()
      failure = null
      return moved
    } catch (error) {
      const sentence = `${failing}: ${describeCause(error)}`
      if (sentence !== failure && !stopped) log.error({ err: error }, sentence)
      failure = sentence
      return 0
    }
  }

  const rounds = repeatRounds({ ...pauses, round: look })
  return {
    ...rounds,
    failure: () => failure,
    stop() {
      stopped = true
      return rounds.stop()
    },
  }
}

/** The cause for the operator: the message of an ApiError is for its caller, and says less than the detail. */
function describeCause(error: unknown): unknown {
  if (error instanceof ApiError) return error.detail ?? error.message
  return error instanceof Error ? error.message : error
}
