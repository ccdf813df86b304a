/** Runs works of one key one after another, and those of different keys side by side, in this process. */
export function createInTurn() {
  const running = new Map<string, Promise<void>>()
  return async (key: string, work: () => Promise<void>): Promise<void> => {
    const previous = running.get(key) ?? Promise.resolve()
    const current = previous.catch(() => undefined).then(work)
    running.set(key, current)
    try {
      await current
    } finally {
      if (running.get(key) === current) running.delete(key)
    }
  }
}
