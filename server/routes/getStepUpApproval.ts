import { z } from 'zod'
import { approvalSchemas } from './approvalSchemas.ts'
import { callerOf } from './callerOf.ts'
import type { Operation } from './operation.ts'
import { passkeySchemas } from './passkeySchemas.ts'

/** Source: api.md "Approvals, activity, audit". */
export const getStepUpApproval: Operation = {
  summary: 'Shows a step-up approval to the agent’s owner, with the options of the assertion that gives it.',
  answer: z.object({
    success: z.literal(true),
    approval: approvalSchemas.approval.extend({ assertionOptions: passkeySchemas.options.nullable() }),
  }),
  errors: ['NOT_FOUND'],
  handle: (services) => async (call) => {
    const principal = callerOf(call, 'session')
    const approvalId = call.params.approvalId ?? ''
    const approval = await services.approvals.read({ principal, approvalId, now: call.now })
    return { body: { success: true, approval } }
  },
}
