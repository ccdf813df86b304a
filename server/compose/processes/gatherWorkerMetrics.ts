import { mergeMetrics, selectLasting } from '../../external/telemetry/mergeMetrics.ts'
import { type MetricValues, unhealthyValues } from '../../external/telemetry/metrics.ts'

/** A process that does not respond within this time counts as not healthy in this response. */
const PATIENCE_MS = 2_000

/** Requests the metrics of a process, which responds through `told`. */
type Ask = (id: number) => void

/**
 * Sums the metrics of several server processes for whichever of them was queried.
 *
 * The last known counters of a process stay in the sums while it does not respond, and after it ends. Otherwise the sums
 * would fall, which Prometheus takes for a reset of all counters. Its other values describe a moment that has passed.
 */
export function gatherWorkerMetrics() {
  const latest = new Map<number, MetricValues>()
  const rounds = new Map<number, { missing: Set<number>; end(): void }>()
  const gone = new Set<number>()
  let ended: MetricValues = []
  let ending: Promise<void> = Promise.resolve()
  let lastRound = 0

  async function keepCounters(from: number): Promise<void> {
    const values = latest.get(from)
    if (values === undefined) return
    const merged = await mergeMetrics([ended, values]).lasting()
    // In one step, so that a response has them once.
    ended = merged
    latest.delete(from)
  }

  return {
    /**
     * Accepts the response of process `from` in a round; ignored after the process has ended, because its counters are
     * already included.
     */
    told(from: number, round: number, values: MetricValues): void {
      if (gone.has(from)) return
      latest.set(from, values)
      const asked = rounds.get(round)
      asked?.missing.delete(from)
      if (asked?.missing.size === 0) asked.end()
    },
    /** Keeps the counters of a process that ended. */
    async left(from: number): Promise<void> {
      gone.add(from)
      ending = ending.catch(() => undefined).then(() => keepCounters(from))
      return ending
    },
    /** Returns as text all metrics of the processes that respond in time, and the counters of the others. */
    async gather(members: ReadonlyMap<number, Ask>): Promise<string> {
      const round = ++lastRound
      const missing = new Set(members.keys())
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, PATIENCE_MS)
        const end = () => {
          clearTimeout(timer)
          resolve()
        }
        rounds.set(round, { missing, end })
        for (const ask of members.values()) ask(round)
      })
      rounds.delete(round)
      const isCurrent = (from: number) => members.has(from) && !missing.has(from) && !gone.has(from)
      const silent = [...missing].some((from) => !gone.has(from)) ? await unhealthyValues() : []
      const known = [...latest].map(([from, values]) => (isCurrent(from) ? values : selectLasting(values)))
      return mergeMetrics([ended, ...known, silent]).text()
    },
  }
}
