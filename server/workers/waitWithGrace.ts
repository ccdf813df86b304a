import { setTimeout as pauseFor } from 'node:timers/promises'

const GRACE_MS = 2_000

/**
 * Waits for the last round of some work for a limited time: a chain, mail server or list that hangs must not block the
 * shutdown. Interrupted work is repeated at the next start, as after a crash.
 */
export async function waitWithGrace(ended: Promise<unknown>): Promise<void> {
  const waited = new AbortController()
  const grace = pauseFor(GRACE_MS, undefined, { signal: waited.signal }).catch(() => undefined)
  await Promise.race([ended, grace])
  waited.abort()
}
