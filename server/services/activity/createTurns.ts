/**
 * Creates a queue that grants one turn per pass of the event loop, first come first served.
 *
 * Reads of the embedded database never wait, so many readers going from page to page would otherwise block the event loop
 * for all other requests.
 */
export function createTurns(): () => Promise<void> {
  let tail: Promise<void> = Promise.resolve()
  return () => {
    tail = tail.then(() => new Promise((resolve) => setImmediate(resolve)))
    return tail
  }
}
