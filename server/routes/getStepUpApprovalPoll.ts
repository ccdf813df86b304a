import { z } from 'zod'
import { callerOf } from './callerOf.ts'
import type { Operation } from './operation.ts'

/** How long a caller waits between two polls. */
const POLL_AFTER_SECONDS = 3

/** Source: `Spec: GET /api/step-up-approvals/poll/{approvalId}`; api.md "Approvals, activity, audit". */
export const getStepUpApprovalPoll: Operation = {
  summary: 'Says where a step-up approval stands, to the API key that got it.',
  answer: z.object({
    success: z.literal(true),
    approvalId: z.string(),
    status: z.enum(['pending', 'approved', 'denied', 'expired', 'consumed']),
    expiresAt: z.string(),
    createdAt: z.string(),
    decidedAt: z.string().nullable(),
    consumedAt: z.string().nullable(),
    attemptId: z.string(),
    dimensions: z.array(z.string()),
    pollAfterSeconds: z.number(),
  }),
  errors: ['NOT_FOUND'],
  handle: (services) => async (call) => {
    const approval = await services.approvals.poll({
      principal: callerOf(call, 'apiKey'),
      approvalId: call.params.approvalId ?? '',
      now: call.now,
    })
    return {
      headers: { 'Retry-After': String(POLL_AFTER_SECONDS) },
      body: {
        success: true,
        approvalId: approval.id,
        status: approval.status,
        expiresAt: isoTime(approval.expiresAt),
        createdAt: isoTime(approval.createdAt),
        decidedAt: approval.decidedAt === null ? null : isoTime(approval.decidedAt),
        consumedAt: approval.consumedAt === null ? null : isoTime(approval.consumedAt),
        attemptId: approval.attemptId,
        dimensions: approval.dimensions,
        pollAfterSeconds: POLL_AFTER_SECONDS,
      },
    }
  },
}

function isoTime(epochMs: number): string {
  return new Date(Number(epochMs)).toISOString()
}
