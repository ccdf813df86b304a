import { apiError } from '../../errors.ts'
import type { MetricValues } from '../../external/telemetry/metrics.ts'
import type { ServiceSummary } from '../../terminal/serviceSummary.ts'
import type { FromWorker, ToWorker } from './workerMessages.ts'

/** How long a response of `/metrics` waits for the other processes. */
const GATHER_TIMEOUT_MS = 3_000

export type PrimaryLink = {
  /** Reports that this process serves requests. */
  ready(summary: ServiceSummary): void
  /** Reports why it cannot start; resolves once the message is sent. */
  failed(sentence: string): Promise<void>
  onStop(stop: () => void): void
  /** Returns the metrics of all processes together, including those of this one when it is asked. */
  gatherMetrics(own: () => Promise<MetricValues>): () => Promise<string>
}

/** Connects a server process to the primary that started it, which replaces it if it no longer responds. */
export function linkToPrimary(): PrimaryLink {
  const waiting = new Map<number, (text: string) => void>()
  let wanted = 0
  const tell = (message: FromWorker) => void process.send?.(message)
  const onMessage = (listener: (message: ToWorker) => void) => void process.on('message', listener)
  onMessage(({ kind }) => {
    if (kind === 'respond') tell({ kind: 'responding' })
  })
  return {
    ready: (summary) => tell({ kind: 'ready', summary }),
    failed: (sentence) =>
      new Promise((resolve) => {
        const message: FromWorker = { kind: 'failed', sentence }
        process.send?.(message, () => resolve())
      }),
    onStop(stop) {
      onMessage(({ kind }) => {
        if (kind === 'stop') stop()
      })
    },
    gatherMetrics(own) {
      onMessage(async (message) => {
        if (message.kind === 'tellMetrics') {
          tell({ kind: 'metrics', id: message.id, values: await own() })
        } else if (message.kind === 'metricsText') {
          waiting.get(message.id)?.(message.text)
        }
      })
      return () =>
        new Promise((resolve, reject) => {
          const id = ++wanted
          const timer = setTimeout(() => {
            waiting.delete(id)
            reject(apiError('SERVICE_UNAVAILABLE'))
          }, GATHER_TIMEOUT_MS)
          waiting.set(id, (text) => {
            clearTimeout(timer)
            waiting.delete(id)
            resolve(text)
          })
          tell({ kind: 'metricsWanted', id })
        })
    },
  }
}
