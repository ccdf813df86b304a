import { AggregatorRegistry } from 'prom-client'
import type { MetricValues } from './metrics.ts'

/**
 * Adds up what the processes of one service count: sums of counters and histograms, and of each gauge what its own
 * description says (`aggregator`), but the highest where that is an average, as Node's lags of the event loop are: one
 * process that is stuck among several that rest would not be seen in it.
 */
export function mergeMetrics(ofEach: readonly MetricValues[]): {
  /** In the text format of Prometheus. */
  text(): Promise<string>
  /** What stays counted when the processes have ended: counters and histograms alone. */
  lasting(): Promise<MetricValues>
} {
  const merged = AggregatorRegistry.aggregate(ofEach.map((values) => values.map(highestForAverage)))
  return {
    text: () => merged.metrics(),
    async lasting() {
      const values = await merged.getMetricsAsJSON()
      return values.filter(({ type }) => String(type) === 'counter' || String(type) === 'histogram')
    },
  }
}

function highestForAverage(metric: MetricValues[number]): MetricValues[number] {
  return metric.aggregator === 'average' ? { ...metric, aggregator: 'max' } : metric
}
