/** Creates a queue for each key: work of one key runs in order, work of different keys in parallel, in this process. */
export function createKeyedQueue() {
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
