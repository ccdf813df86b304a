/** Decides whether one more request is worked on. */
export type LoadGate = {
  /** Whether there is room; who is let in has to leave. */
  enter(): boolean
  leave(): void
}

/**
 * Bounds how many requests are worked on at once, so that under more load than can be served those that are let in are
 * answered as quickly as ever, memory stays bounded, and the others hear at once when to come again.
 *
 * Source: faults.md row 22.
 */
export function createLoadGate(max: number): LoadGate {
  let inside = 0
  return {
    enter() {
      if (inside >= max) return false
      inside += 1
      return true
    },
    leave() {
      inside -= 1
    },
  }
}
