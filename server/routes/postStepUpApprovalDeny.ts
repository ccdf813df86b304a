import { z } from 'zod'
import { approvalSchemas } from './approvalSchemas.ts'
import { callerOf } from './callerOf.ts'
import type { Operation } from './operation.ts'

/** Source: api.md "Approvals, activity, audit". */
export const postStepUpApprovalDeny: Operation = {
  summary: 'Denies a step-up approval, also one that was given and is not used yet.',
  answer: z.object({ success: z.literal(true), approval: approvalSchemas.approval }),
  errors: ['FORBIDDEN', 'NOT_FOUND', 'INVALID_STATE'],
  handle: (services) => async (call) => {
    const principal = callerOf(call, 'session')
    const approvalId = call.params.approvalId ?? ''
    const approval = await services.approvals.deny({ principal, approvalId })
    return { body: { success: true, approval } }
  },
}
