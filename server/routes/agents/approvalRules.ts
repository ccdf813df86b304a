import { approvalRulesSchema } from '@svc/core/access/approvalRules.ts'
import { z } from 'zod'
import { parseInput } from '../../middleware/parseInput.ts'
import { callerOf } from '../border/callerOf.ts'
import type { Operation } from '../operation.ts'

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

const body = z.object({ rules: approvalRulesSchema })

/** Source: api.md "Agents"; verification.md "Owner's approval rules". */
export const putAgentApprovalRules: Operation = {
  summary: 'Sets what the owner of an agent wants to be asked about.',
  body,
  answer: z.object({ success: z.literal(true), rules: approvalRulesSchema }),
  errors: ['VALIDATION_ERROR', 'FORBIDDEN', 'NOT_FOUND'],
  handle: (services) => async (call) => {
    const principal = callerOf(call, 'session')
    const { rules } = parseInput(body, call.body)
    const id = call.params.id ?? ''
    const changed = await services.agents.changeApprovalRules({ id, principal, rules, now: call.now })
    return { body: { success: true, rules: changed } }
  },
}
