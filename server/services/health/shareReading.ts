/**
 * Returns a reading that concurrent calls share, and those of the `reuseMs` after it began, also where it failed: whoever
 * calls as often as they like then costs no more than one reading at a time.
 *
 * @param clock Monotonic milliseconds.
 */
export function shareReading<Reading>(
  read: () => Promise<Reading>,
  reuseMs: number,
  clock: () => number,
): () => Promise<Reading> {
  let isRunning = false
  let startedAt = 0
  let shared: Promise<Reading> | null = null
  const start = async (): Promise<Reading> => {
    isRunning = true
    startedAt = clock()
    try {
      return await read()
    } finally {
      isRunning = false
    }
  }
  return () => {
    if (shared === null || (!isRunning && clock() - startedAt >= reuseMs)) shared = start()
    return shared
  }
}
