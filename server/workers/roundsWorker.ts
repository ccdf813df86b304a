import { setTimeout as pauseFor, setImmediate as yieldTurn } from 'node:timers/promises'

export type RoundsWorkerOptions = {
  /** What it does, for the log and the health answer: "mails cannot be sent". */
  failing: string
  /** One round; answers how much it moved. */
  round(): Promise<number>
  /** Rest after a round that moved nothing. */
  pauseMs: number
  /** Pause after a round that moved something, for work that goes over much and is in no hurry; none unless given. */
  breathMs?: number
  log: { error(fields: object, message: string): void }
}

export type RoundsWorker = {
  start(): void
  /** Ends the rest: there is something to do. */
  wake(): void
  /** Null while all is well, else the sentence for the operator. */
  failure(): string | null
  /** Resolves when no round is running any more. */
  stop(): Promise<void>
}

/**
 * Repeats a round: at once while something moves, after a rest when nothing does or the round failed.
 *
 * Between two rounds all else that the process has to do gets its turn: rounds that only ask an embedded database would
 * otherwise follow one another without it.
 * A wake that comes during a round is not lost: another one follows without a rest. A failure is told once until it passes.
 */
export function createRoundsWorker({
  failing,
  round,
  pauseMs,
  breathMs,
  log,
}: RoundsWorkerOptions): RoundsWorker {
  let stopped = false
  let woken = false
  let failure: string | null = null
  let running: Promise<void> | null = null
  let endRest: () => void = () => undefined

  const rest = (): Promise<void> =>
    new Promise((resume) => {
      const timer = setTimeout(resume, pauseMs)
      endRest = () => {
        clearTimeout(timer)
        resume()
      }
    })

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

  const run = async (): Promise<void> => {
    while (!stopped) {
      woken = false
      const moved = await look()
      if (moved === 0 && !woken && !stopped) await rest()
      else if (breathMs === undefined) await yieldTurn()
      else await pauseFor(breathMs)
    }
  }

  return {
    start() {
      running ??= run()
    },
    wake() {
      woken = true
      endRest()
    },
    failure: () => failure,
    async stop() {
      stopped = true
      endRest()
      await running
    },
  }
}
