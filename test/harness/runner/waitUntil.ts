import { setTimeout as pause } from 'node:timers/promises'

const FIRST_PAUSE_MS = 40
const LONGEST_PAUSE_MS = 200
const PATIENCE_MS = 75_000

/**
 * Asks again until the answer is something; for what the service does in its own time. The longer it takes the more
 * seldom, because what is waited for needs the processor that asking takes.
 */
export async function waitUntil<Value>(look: () => Promise<Value | null>): Promise<Value> {
  const begun = performance.now()
  for (let looks = 0; performance.now() - begun < PATIENCE_MS; looks += 1) {
    const found = await look()
    if (found !== null) return found
    await pause(Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS + 10 * looks))
  }
  throw new Error('what was waited for did not come')
}
