export type FaultRun = ReturnType<typeof createFaultRun>

/**
 * Creates a run of concurrent clients that all end at the first mistake that one of them finds, so that the failure names
 * what broke first and not what followed from it.
 */
export function createFaultRun() {
  const stop = new AbortController()
  return {
    /** Aborted at the first mistake, with it as the reason. */
    signal: stop.signal,
    /** Ends the run; later mistakes change nothing. */
    fail: (mistake: unknown): void => stop.abort(mistake),

    /** @throws Error with the guarantee and the record that shows that it does not hold. */
    require(guarantee: string, holds: boolean, record: unknown): void {
      if (!holds) throw new Error(`broken: ${guarantee}\n${JSON.stringify(record)}`)
    },

    /**
     * Runs the clients concurrently; each has to watch the signal.
     *
     * @throws The first mistake, once all have ended.
     */
    async drive(clients: readonly (() => Promise<void>)[]): Promise<void> {
      await Promise.all(clients.map((client) => client().catch((mistake) => stop.abort(mistake))))
      stop.signal.throwIfAborted()
    },
  }
}
