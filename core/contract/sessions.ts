import { z } from 'zod'
import { success } from './envelope.ts'

const decision = z.enum(['granted', 'denied', 'challenged', 'deferred'])

export const postVerifyAccessDecisionBody = z.object({
  decision,
  reason: z.string().max(1000).optional(),
  tokenIssued: z.boolean().optional(),
})

export const postSessionEndBody = z.object({ reason: z.string().max(1000).optional() })

/** Request and response schemas of the operations, by method and path. */
export const sessionOperations = {
  'POST /api/agents/verify-access/:sessionId/decision': {
    body: postVerifyAccessDecisionBody,
    answer: success({ sessionId: z.string(), decision, recordedAt: z.string() }),
  },
  'POST /api/agents/verify-access/:sessionId/end': {
    body: postSessionEndBody,
    answer: success({ sessionId: z.string(), endedAt: z.string(), reason: z.string().nullable() }),
  },
  'GET /.well-known/status/:list': { answer: z.string() },
} as const
