import { z } from 'zod'
import type { Operation } from './operation.ts'

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
