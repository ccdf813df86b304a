import { setImmediate as yieldTurn } from 'node:timers/promises'

export type Rounds = {
  start(): void
  /** Ends the rest: there is something to do. During a round it is not lost: another one follows without a rest. */
  wake(): void
  /** Resolves when no round is running any more. */
  stop(): Promise<void>
}

export type RoundsOptions = {
  /** One round, which does not fail; answers how much it moved. */
  round(): Promise<number>
  /** Rest after a round that moved nothing. */
  pauseMs: number
  /** Rest after a round that moved something, for work that is in no hurry; none unless given. */
  breathMs?: number | undefined
}

/**
 * Repeats a round: at once while something moves, after a rest when nothing does.
 *
 * Between two rounds all else that the process has to do gets its turn: rounds that only ask an embedded database would
 * otherwise follow one another without it.
 */
export function repeatRounds({ round, pauseMs, breathMs = 0 }: RoundsOptions): Rounds {
  let stopped = false
  let woken = false
  let running: Promise<void> | null = null
  let endRest: () => void = () => undefined

  const rest = (ms: number): Promise<void> =>
    new Promise((resume) => {
      const timer = setTimeout(resume, ms)
      endRest = () => {
        clearTimeout(timer)
        resume()
      }
    })

  const run = async (): Promise<void> => {
    while (!stopped) {
      woken = false
      const restMs = (await round()) === 0 ? pauseMs : breathMs
      if (restMs === 0 || woken || stopped) await yieldTurn()
      else await rest(restMs)
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
    async stop() {
      stopped = true
      endRest()
      await running
    },
  }
}
