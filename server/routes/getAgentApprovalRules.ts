import { approvalRulesSchema } from '@svc/core/access/approvalRules.ts'
import { z } from 'zod'
import { callerOf } from './callerOf.ts'
import type { Operation } from './operation.ts'

/** Source: api.md "Agents". */
export const getAgentApprovalRules: Operation = {
  summary: 'Shows what the owner of an agent wants to be asked about.',
  answer: z.object({ success: z.literal(true), rules: approvalRulesSchema }),
  errors: ['FORBIDDEN', 'NOT_FOUND'],
  handle: (services) => async (call) => {
    const id = call.params.id ?? ''
    const rules = await services.agents.readApprovalRules({ id, principal: callerOf(call, 'session') })
    return { body: { success: true, rules } }
  },
}
