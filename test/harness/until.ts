import { setTimeout as pause } from 'node:timers/promises'

/** Asks again until the answer is something; for what the service does in its own time. */
export async function until<Value>(look: () => Promise<Value | null>): Promise<Value> {
  for (let looks = 0; looks < 1_500; looks += 1) {
    const found = await look()
    if (found !== null) return found
    await pause(40)
  }
  throw new Error('what was waited for did not come')
}
