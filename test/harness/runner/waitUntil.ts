import { setTimeout as pause } from 'node:timers/promises'

const FIRST_PAUSE_MS = 40
const LONGEST_PAUSE_MS = 200
const TIMEOUT_MS = 75_000

/**
 * Polls until `look` returns something other than null, for work that the service does in the background. The interval
 * grows, because polling takes processor time from the work it waits for.
 *
 * @throws Error after 75 seconds.
 */
export async function waitUntil<Value>(look: () => Promise<Value | null>): Promise<Value> {
  const begun = performance.now()
  for (let looks = 0; performance.now() - begun < TIMEOUT_MS; looks += 1) {
    const found = await look()
    if (found !== null) return found
    await pause(Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS + 10 * looks))
  }
  throw new Error(`timed out waiting after ${TIMEOUT_MS / 1000} s`)
}
