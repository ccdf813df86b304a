import { mergeMetrics } from '../external/mergeMetrics.ts'
import type { MetricValues } from '../external/metrics.ts'

/** A process that does not tell in this time is left out of the answer, as it was before. */
const PATIENCE_MS = 1_000

/** Asks one process what it has counted; it answers by `told`. */
type Ask = (id: number) => void

/**
 * Adds up what several server processes have counted, for whichever of them was asked.
 *
 * What a process had counted when it was last asked stays in the sums after its end: a counter that fell would look to
 * Prometheus as if all that the others have counted had happened anew.
 */
export function gatherWorkerMetrics() {
  const latest = new Map<number, MetricValues>()
  const rounds = new Map<number, () => void>()
  const missing = new Map<number, Set<number>>()
  const gone = new Set<number>()
  let ended: MetricValues = []
  let lastRound = 0

  return {
    /** What process `from` answered in a round; what arrives after its end is counted already. */
    told(from: number, round: number, values: MetricValues): void {
      if (gone.has(from)) return
      latest.set(from, values)
      missing.get(round)?.delete(from)
      if (missing.get(round)?.size === 0) rounds.get(round)?.()
    },
    /** Keeps what lasts of a process that ended. */
    async left(from: number): Promise<void> {
      gone.add(from)
      const values = latest.get(from)
      latest.delete(from)
      if (values !== undefined) ended = await mergeMetrics([ended, values]).lasting()
    },
    /** The text of all together, as far as they answer in time. */
    async gather(members: ReadonlyMap<number, Ask>): Promise<string> {
      const round = ++lastRound
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, PATIENCE_MS)
        missing.set(round, new Set(members.keys()))
        rounds.set(round, () => {
          clearTimeout(timer)
          resolve()
        })
        for (const ask of members.values()) ask(round)
      })
      missing.delete(round)
      rounds.delete(round)
      return mergeMetrics([ended, ...latest.values()]).text()
    },
  }
}
