import type { MetricValues } from '../../external/telemetry/metrics.ts'
import type { ServiceSummary } from '../../terminal/serviceSummary.ts'

/** A message from a server process to the primary. */
export type FromWorker =
  | { kind: 'ready'; summary: ServiceSummary }
  /** The process could not start, and ends. */
  | { kind: 'failed'; sentence: string }
  | { kind: 'metricsWanted'; id: number }
  | { kind: 'metrics'; id: number; values: MetricValues }
  /** The answer to `respond`. */
  | { kind: 'responding' }

/** A message from the primary to a server process. */
export type ToWorker =
  | { kind: 'stop' }
  /** Asks whether the event loop still turns. */
  | { kind: 'respond' }
  | { kind: 'tellMetrics'; id: number }
  | { kind: 'metricsText'; id: number; text: string }
