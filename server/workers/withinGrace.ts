import { setTimeout as pauseFor } from 'node:timers/promises'

const GRACE_MS = 2_000

/** Waits for the last round of work over the chain, but not for long: one that hangs must not keep the service from ending. */
export async function withinGrace(ended: Promise<unknown>): Promise<void> {
  const waited = new AbortController()
  const grace = pauseFor(GRACE_MS, undefined, { signal: waited.signal }).catch(() => undefined)
  await Promise.race([ended, grace])
  waited.abort()
}
