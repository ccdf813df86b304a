import { AggregatorRegistry } from 'prom-client'
import type { MetricValues } from './metrics.ts'

/**
 * Adds up what the processes of one service count: sums of counters and histograms, and of each gauge what its own
 * description says (`aggregator`).
 */
export function mergeMetrics(ofEach: readonly MetricValues[]): {
  /** In the text format of Prometheus. */
  text(): Promise<string>
  /** What stays counted when the processes have ended: counters and histograms alone. */
  lasting(): Promise<MetricValues>
} {
  const merged = AggregatorRegistry.aggregate([...ofEach])
  return {
    text: () => merged.metrics(),
    async lasting() {
      const values = await merged.getMetricsAsJSON()
      return values.filter(({ type }) => String(type) === 'counter' || String(type) === 'histogram')
    },
  }
}
