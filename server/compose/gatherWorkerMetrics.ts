import { mergeMetrics } from '../external/mergeMetrics.ts'
import type { MetricValues } from '../external/metrics.ts'

/** A process that does not respond within this time is left out of this response. */
const PATIENCE_MS = 1_000

/** Requests the metrics of a process, which responds through `told`. */
type Ask = (id: number) => void

/**
 * Sums the metrics of several server processes for whichever of them was queried.
 *
 * The last known counters of a process stay in the sums after it ends. Otherwise the sums would fall, which Prometheus
 * takes for a reset of all counters.
 */
export function gatherWorkerMetrics() {
  const latest = new Map<number, MetricValues>()
  const rounds = new Map<number, () => void>()
  const missing = new Map<number, Set<number>>()
  const gone = new Set<number>()
  let ended: MetricValues = []
  let lastRound = 0

  return {
    /**
     * Accepts the response of process `from` in a round; ignored after the process has ended, because its counters are
     * already included.
     */
    told(from: number, round: number, values: MetricValues): void {
      if (gone.has(from)) return
      latest.set(from, values)
      missing.get(round)?.delete(from)
      if (missing.get(round)?.size === 0) rounds.get(round)?.()
    },
    /** Keeps the counters of a process that ended. */
    async left(from: number): Promise<void> {
      gone.add(from)
      const values = latest.get(from)
      latest.delete(from)
      if (values !== undefined) ended = await mergeMetrics([ended, values]).lasting()
    },
    /** Returns the metrics of all processes that respond in time, as text. */
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
