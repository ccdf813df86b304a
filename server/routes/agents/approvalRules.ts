import { agentOperations, putAgentApprovalRulesBody } from '@svc/core/contract/agents.ts'
import { parseInput } from '../../middleware/parseInput.ts'
import {
  type ChangeApprovalRulesDeps,
  changeApprovalRules,
  type ReadApprovalRulesDeps,
  readApprovalRules,
} from '../../services/agents/changeApprovalRules.ts'
import { callerOf } from '../border/callerOf.ts'
import { operation } from '../operation.ts'

export const getAgentApprovalRules = operation({
  summary: 'Returns the rules that select which requests of an agent need its owner’s approval.',
  answer: agentOperations['GET /api/agents/:id/approval-rules'].answer,
  errors: ['FORBIDDEN', 'NOT_FOUND'],
  handle: (parts: { agents: ReadApprovalRulesDeps }) => async (call) => {
    const id = call.params.id ?? ''
    const rules = await readApprovalRules(parts.agents, { id, principal: callerOf(call, 'session') })
    return { body: { success: true, rules } }
  },
})

export const putAgentApprovalRules = operation({
  summary: 'Replaces the rules that select which requests of an agent need its owner’s approval.',
  body: agentOperations['PUT /api/agents/:id/approval-rules'].body,
  answer: agentOperations['PUT /api/agents/:id/approval-rules'].answer,
  errors: ['VALIDATION_ERROR', 'FORBIDDEN', 'NOT_FOUND'],
  handle: (parts: { agents: ChangeApprovalRulesDeps }) => async (call) => {
    const principal = callerOf(call, 'session')
    const { rules } = parseInput(putAgentApprovalRulesBody, call.body)
    const id = call.params.id ?? ''
    const changed = await changeApprovalRules(parts.agents, { id, principal, rules, now: call.now })
    return { body: { success: true, rules: changed } }
  },
})
