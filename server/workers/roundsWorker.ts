import { type Rounds, type RoundsOptions, repeatRounds } from './repeatRounds.ts'

export type RoundsWorkerOptions = Omit<RoundsOptions, 'round'> & {
  /** What it does, for the log and the health answer: "mails cannot be sent". */
  failing: string
  /** One round; answers how much it moved. */
  round(): Promise<number>
  log: { error(fields: object, message: string): void }
}

export type RoundsWorker = Rounds & {
  /** Null while all is well, else the sentence for the operator. */
  failure(): string | null
}

/** Repeats a round as `repeatRounds` does; one that fails moved nothing, which is told once until it passes. */
export function createRoundsWorker({ failing, round, log, ...pauses }: RoundsWorkerOptions): RoundsWorker {
  let stopped = false
  let failure: string | null = null

  const look = async (): Promise<number> => {
    try {
      const moved = await round()
      failure = null
      return moved
    } catch (error) {
      const sentence = `${failing}: ${error instanceof Error ? error.message : error}`
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
