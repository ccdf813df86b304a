import { z } from 'zod'
import { parseInput } from '../middleware/parseInput.ts'
import { callerOf } from './callerOf.ts'
import type { Operation } from './operation.ts'

const decision = z.enum(['granted', 'denied', 'challenged', 'deferred'])

const body = z.object({
  decision,
  reason: z.string().max(1000).optional(),
  tokenIssued: z.boolean().optional(),
})

/** Source: `Spec: POST /api/agents/verify-access/{sessionId}/decision`. */
export const postVerifyAccessDecision: Operation = {
  summary: 'Records what the counterparty decided for a verified session.',
  body,
  answer: z.object({ success: z.literal(true), sessionId: z.string(), decision, recordedAt: z.string() }),
  errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'DECISION_CONFLICT', 'SERVICE_UNAVAILABLE'],
  handle: (services) => async (call) => {
    const input = parseInput(body, call.body)
    const stored = await services.recordDecision({
      principal: callerOf(call, 'apiKey'),
      sessionId: call.params.sessionId ?? '',
      decision: input.decision,
      reason: input.reason ?? null,
      tokenIssued: input.tokenIssued ?? null,
      now: call.now,
    })
    return {
      body: {
        success: true,
        sessionId: stored.sessionId,
        decision: stored.decision,
        recordedAt: new Date(stored.recordedAt).toISOString(),
      },
    }
  },
}
