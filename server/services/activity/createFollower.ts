type Waited = 'news' | 'quiet' | 'ended'

/** One who follows the activity feed. */
export type Follower = {
  /** Whose events wake it; may be replaced. */
  parties: ReadonlySet<string>
  /** There is something for it; not lost when nobody waits at the moment. */
  notify(): void
  /** Nothing will come any more. */
  end(): void
  /** Waits for news since the last wait was over; `quiet` when none came in time, `ended` also when the signal is given. */
  wait(timeoutMs: number, signal: AbortSignal): Promise<Waited>
}

/** Makes a follower that has heard nothing yet. At most one wait at a time. */
export function createFollower(parties: ReadonlySet<string>): Follower {
  let hasNews = false
  let hasEnded = false
  let wake: () => void = () => undefined

  const outcome = (signal: AbortSignal): Waited => {
    if (hasEnded || signal.aborted) return 'ended'
    const heard = hasNews
    hasNews = false
    return heard ? 'news' : 'quiet'
  }

  return {
    parties,
    notify() {
      hasNews = true
      wake()
    },
    end() {
      hasEnded = true
      wake()
    },
    async wait(timeoutMs, signal) {
      const first = outcome(signal)
      if (first !== 'quiet') return first
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, timeoutMs)
        wake = () => {
          clearTimeout(timer)
          resolve()
        }
        signal.addEventListener('abort', wake, { once: true })
      })
      signal.removeEventListener('abort', wake)
      wake = () => undefined
      return outcome(signal)
    },
  }
}
