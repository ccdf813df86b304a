import type { MetricValues } from '../external/metrics.ts'

/** What a server process tells the primary. */
export type FromWorker =
  | { kind: 'ready'; url: string }
  /** It could not start, and ends. */
  | { kind: 'failed'; sentence: string }
  | { kind: 'metricsWanted'; id: number }
  | { kind: 'metrics'; id: number; values: MetricValues }

/** What the primary tells a server process. */
export type ToWorker =
  | { kind: 'stop' }
  | { kind: 'tellMetrics'; id: number }
  | { kind: 'metricsText'; id: number; text: string }
