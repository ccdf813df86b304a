/**
 * Lets those who ask take turns, one in each turn of the event loop, first come first served.
 *
 * Reading the embedded database does not wait for anything, so many who read page after page would hold the loop among
 * themselves, and nobody's request would be heard in between.
 */
export function createTurns(): () => Promise<void> {
  let tail: Promise<void> = Promise.resolve()
  return () => {
    tail = tail.then(() => new Promise((resolve) => setImmediate(resolve)))
    return tail
  }
}
