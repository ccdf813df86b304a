import { z } from 'zod'
import { parseInput } from '../middleware/parseInput.ts'
import { approvalSchemas } from './approvalSchemas.ts'
import { callerOf } from './callerOf.ts'
import type { Operation } from './operation.ts'
import { passkeySchemas } from './passkeySchemas.ts'

const body = z.object({ response: passkeySchemas.assertion })

/** Source: `Spec: Authentication` 8; api.md "Approvals, activity, audit". */
export const postStepUpApprovalApprove: Operation = {
  summary: 'Gives a step-up approval by a passkey assertion over the options it came with.',
  body,
  answer: z.object({ success: z.literal(true), approval: approvalSchemas.approval }),
  errors: ['VALIDATION_ERROR', 'FORBIDDEN', 'PASSKEY_REJECTED', 'NOT_FOUND', 'INVALID_STATE'],
  handle: (services) => async (call) => {
    const principal = callerOf(call, 'session')
    const { response } = parseInput(body, call.body)
    const approvalId = call.params.approvalId ?? ''
    const approval = await services.approvals.approve({ principal, approvalId, response, now: call.now })
    return { body: { success: true, approval } }
  },
}
