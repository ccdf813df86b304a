import { z } from 'zod'
import type { Operation } from './operation.ts'

/** Source: api.md "Approvals, activity, audit" (`GET /metrics`). */
export const getMetrics: Operation = {
  summary: 'Shows counters and latencies in the text format of Prometheus.',
  mediaType: 'text/plain',
  answer: z.string(),
  errors: [],
  vital: true,
  handle: (services) => async () => {
    const { text, contentType } = await services.metrics()
    return { body: text, contentType }
  },
}
