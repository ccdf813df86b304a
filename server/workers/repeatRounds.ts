import { setImmediate as yieldTurn } from 'node:timers/promises'

export type Rounds = {
  start(): void
  /** Ends the pause, because there is work. A call during a round is not lost: another round follows without a pause. */
  wake(): void
  /** Resolves when no round is running. */
  stop(): Promise<void>
}

export type RoundsOptions = {
  /** Runs one round without throwing; returns the amount of work done. */
  round(): Promise<number>
  /** Pause after a round without work; a function is asked after each. */
  pauseMs: number | (() => number)
  /** Pause after a round with work, for work that is not urgent; none by default. */
  breathMs?: number | undefined
}

/**
 * Repeats a round: immediately while there is work, after a pause otherwise.
 *
 * Between rounds it yields to everything else in the process, because rounds that only read an embedded database would
 * otherwise never yield.
 */
export function repeatRounds({ round, pauseMs, breathMs = 0 }: RoundsOptions): Rounds {
  let stopped = false
  let woken = false
  let running: Promise<void> | null = null
  const idleMs = typeof pauseMs === 'number' ? () => pauseMs : pauseMs
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
      const restMs = (await round()) === 0 ? idleMs() : breathMs
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
