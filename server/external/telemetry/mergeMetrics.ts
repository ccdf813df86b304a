import { AggregatorRegistry } from 'prom-client'
import type { MetricValues } from './metrics.ts'

/**
 * Merges the metrics of several processes of one service: counters and histograms are summed, gauges merged as their
 * `aggregator` says. Where that is `average`, as for Node's event loop lag, the maximum is used instead, because an average
 * would hide one stuck process among idle ones.
 */
export function mergeMetrics(processes: readonly MetricValues[]): {
  /** Writes them in the text format of Prometheus. */
  text(): Promise<string>
  /** Returns what remains valid after the processes have exited: counters and histograms. */
  lasting(): Promise<MetricValues>
} {
  const merged = AggregatorRegistry.aggregate(processes.map((values) => values.map(maxInsteadOfAverage)))
  return {
    text: () => merged.metrics(),
    lasting: async () => selectLasting(await merged.getMetricsAsJSON()),
  }
}

/** Selects what remains valid although a process no longer responds: counters and histograms. */
export function selectLasting(values: MetricValues): MetricValues {
  return values.filter(({ type }) => String(type) === 'counter' || String(type) === 'histogram')
}

function maxInsteadOfAverage(metric: MetricValues[number]): MetricValues[number] {
  return metric.aggregator === 'average' ? { ...metric, aggregator: 'max' } : metric
}
