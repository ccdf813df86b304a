import { setTimeout as pause } from 'node:timers/promises'
import { readCoreTimes } from './readCoreTimes.ts'

const LOOK_MS = 250
/** Maximum share of all cores' time that may be busy. */
const CALM_SHARE = 0.1

/**
 * Waits until the machine's cores are idle, so that follow-up work of one round does not affect the next.
 *
 * @returns whether they became idle within `patienceMs`.
 */
export async function waitUntilCalm(patienceMs: number): Promise<boolean> {
  for (let waited = 0; waited < patienceMs; waited += LOOK_MS) {
    const before = readCoreTimes()
    await pause(LOOK_MS)
    const after = readCoreTimes()
    if ((after.busy - before.busy) / (after.all - before.all) <= CALM_SHARE) return true
  }
  return false
}
