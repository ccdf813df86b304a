type Waited = 'news' | 'quiet' | 'ended'

/** A follower of the activity feed. */
export type Follower = {
  /** The parties whose events wake it; may be replaced. */
  parties: ReadonlySet<string>
  /** Reports news; not lost if nobody is waiting. */
  notify(): void
  /** Reports that nothing further will come. */
  end(): void
  /** Waits for news since the last wait; `quiet` if none came in time, `ended` also when the signal aborts. */
  wait(timeoutMs: number, signal: AbortSignal): Promise<Waited>
}

/** Creates a follower. At most one wait at a time. */
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
