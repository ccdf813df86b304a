import { z } from 'zod'
import type { Operation } from '../operation.ts'

const check = z.object({
  status: z.enum(['pass', 'warn', 'fail']),
  detail: z.string().optional(),
  observed: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
})

/** Source: `Spec: GET /api/health`; api.md "Approvals, activity, audit". */
export const getHealth: Operation = {
  summary: 'Says whether the service can decide and record, and how its parts feel.',
  answer: z.object({
    success: z.boolean(),
    status: z.enum(['pass', 'warn', 'fail']),
    version: z.string(),
    time: z.string(),
    checks: z.object({ database: check, chain: check, relayer: check, auditQueue: check }),
  }),
  errors: [],
  vital: true,
  handle: (services) => async (call) => {
    const report = await services.health({ now: call.now })
    const failed = report.status === 'fail'
    return {
      status: failed ? 503 : 200,
      ...(failed ? { headers: { 'Retry-After': '5' } } : {}),
      body: { success: !failed, ...report },
    }
  },
}

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

/** Source: api.md "Accounts"; RFC 7517 §5. */
export const getJwks: Operation = {
  summary: 'Publishes the keys that access tokens and agent cards are verified with.',
  answer: z.object({ keys: z.array(z.record(z.string(), z.string())) }),
  errors: [],
  handle: (services) => () => ({
    headers: { 'Cache-Control': 'public, max-age=300' },
    body: { keys: [...services.accounts.keySet.keys, services.agents.cardKey] },
  }),
}
