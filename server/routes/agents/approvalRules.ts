import { agentOperations, putAgentApprovalRulesBody } from '@svc/core/contract/agents.ts'
import { parseInput } from '../../middleware/parseInput.ts'
import {
  type ChangeApprovalRulesDeps,
  changeApprovalRules,
} from '../../services/agents/changeApprovalRules.ts'
import { type ReadApprovalRulesDeps, readApprovalRules } from '../../services/agents/readApprovalRules.ts'
import {
  type ListStandingDeps,
  listStandingRules,
  type RemoveStandingDeps,
  removeStandingRule,
} from '../../services/approvals/standingRules.ts'
import { tagSettings } from '../../services/tagSettings.ts'
import { callerOf } from '../border/callerOf.ts'
import { readIfMatch } from '../border/readIfMatch.ts'
import { operation } from '../operation.ts'

export const getAgentApprovalRules = operation({
  summary:
    'Returns the rules that select which requests of an agent need its owner’s approval, and what the owner has approved in advance.',
  answer: agentOperations['GET /api/agents/:id/approval-rules'].answer,
  isTagged: true,
  errors: ['FORBIDDEN', 'NOT_FOUND'],
  handle: (parts: { agents: ReadApprovalRulesDeps; approvals: ListStandingDeps }) => async (call) => {
    const id = call.params.id ?? ''
    const principal = callerOf(call, 'session')
    const rules = await readApprovalRules(parts.agents, { id, principal })
    const standing = await listStandingRules(parts.approvals, { id, principal, now: call.now })
    return {
      headers: { ETag: tagSettings('approvalRules', { rules }) },
      body: { success: true, rules, standing },
    }
  },
})

export const putAgentApprovalRules = operation({
  summary: 'Replaces the rules that select which requests of an agent need its owner’s approval.',
  body: agentOperations['PUT /api/agents/:id/approval-rules'].body,
  answer: agentOperations['PUT /api/agents/:id/approval-rules'].answer,
  isTagged: true,
  errors: ['VALIDATION_ERROR', 'FORBIDDEN', 'NOT_FOUND'],
  handle: (parts: { agents: ChangeApprovalRulesDeps }) => async (call) => {
    const principal = callerOf(call, 'session')
    const { rules } = parseInput(putAgentApprovalRulesBody, call.body)
    const id = call.params.id ?? ''
    const isExpected = readIfMatch(call)
    const input = { id, principal, rules, isExpected, now: call.now }
    const changed = await changeApprovalRules(parts.agents, input)
    const headers = { ETag: tagSettings('approvalRules', { rules: changed }) }
    return { headers, body: { success: true, rules: changed } }
  },
})

export const deleteAgentApprovalRule = operation({
  summary:
    'Removes spending that the owner of an agent has approved in advance; later requests are held again.',
  answer: agentOperations['DELETE /api/agents/:id/approval-rules/:ruleId'].answer,
  errors: ['FORBIDDEN', 'NOT_FOUND'],
  handle: (parts: { approvals: RemoveStandingDeps }) => async (call) => {
    const { id = '', ruleId = '' } = call.params
    await removeStandingRule(parts.approvals, { id, ruleId, principal: callerOf(call, 'session') })
    return { body: { success: true } }
  },
})
