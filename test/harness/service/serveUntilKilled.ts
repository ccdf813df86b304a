import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { type SpawnedService, spawnService } from './spawnService.ts'

export type KilledService = {
  baseUrl: string
  kills(): number
  /** Repeats the request after each kill until the service responds. */
  ask<Answer>(request: () => Promise<Answer>): Promise<Answer>
  /** Stops killing; resolves when the service runs. */
  spare(): Promise<SpawnedService>
}

/**
 * Runs the service in a child process that is repeatedly killed with SIGKILL and restarted.
 *
 * @param everyMs The longest time between two kills; the shortest is half of it.
 */
export async function serveUntilKilled(
  settings: Record<string, string>,
  everyMs: number,
): Promise<KilledService> {
  let kills = 0
  let isSpared = false
  let service = await spawnService(settings)
  let running: Promise<unknown> = Promise.resolve()
  const killing = (async () => {
    for (;;) {
      await pause(everyMs * (0.5 + Math.random() / 2))
      if (isSpared) return
      const gone = once(service.process, 'exit')
      service.process.kill('SIGKILL')
      await gone
      kills += 1
      const next = spawnService(settings)
      running = next
      service = await next
    }
  })()
  return {
    baseUrl: service.baseUrl,
    kills: () => kills,
    async ask(request) {
      for (;;) {
        try {
          return await request()
        } catch (error) {
          if (!(error instanceof TypeError)) throw error
          await pause(20)
          await running
        }
      }
    },
    async spare() {
      isSpared = true
      await killing
      return service
    },
  }
}
