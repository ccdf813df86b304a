import { z } from 'zod'
import { type CheckHealthDeps, checkHealth } from '../../services/health/checkHealth.ts'
import { operation } from '../operation.ts'

const check = z.object({
  status: z.enum(['pass', 'warn', 'fail']),
  detail: z.string().optional(),
  observed: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
})

/** Source: `Spec: GET /api/health`; api.md "Approvals, activity, audit". */
export const getHealth = operation({
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
  handle: (parts: { service: CheckHealthDeps }) => async (call) => {
    const report = await checkHealth(parts.service, { now: call.now })
    const failed = report.status === 'fail'
    return {
      status: failed ? 503 : 200,
      ...(failed ? { headers: { 'Retry-After': '5' } } : {}),
      body: { success: !failed, ...report },
    }
  },
})

/** Source: api.md "Approvals, activity, audit" (`GET /metrics`). */
export const getMetrics = operation({
  summary: 'Shows counters and latencies in the text format of Prometheus.',
  mediaType: 'text/plain',
  answer: z.string(),
  errors: [],
  vital: true,
  handle: (parts: { service: { readMetrics(): Promise<{ body: string; contentType: string }> } }) => () =>
    parts.service.readMetrics(),
})

/** Source: api.md "Accounts"; RFC 7517 §5. */
export const getJwks = operation({
  summary: 'Publishes the keys that access tokens and agent cards are verified with.',
  answer: z.object({ keys: z.array(z.record(z.string(), z.string())) }),
  errors: [],
  handle: (parts: { service: { publicKeys: readonly Record<string, string>[] } }) => () => ({
    headers: { 'Cache-Control': 'public, max-age=300' },
    body: { keys: parts.service.publicKeys },
  }),
})
