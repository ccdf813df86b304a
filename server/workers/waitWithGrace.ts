import { setTimeout as pauseFor } from 'node:timers/promises'

const GRACE_MS = 2_000

/**
 * Waits for the last round of some work, but not for long: a chain, a mail server or a list that hangs must not keep the
 * service from ending. What is left in the middle is done again by the next start, as after a crash.
 */
export async function waitWithGrace(ended: Promise<unknown>): Promise<void> {
  const waited = new AbortController()
  const grace = pauseFor(GRACE_MS, undefined, { signal: waited.signal }).catch(() => undefined)
  await Promise.race([ended, grace])
  waited.abort()
}
